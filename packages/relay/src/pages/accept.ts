/** Language of a page. */
export type PageLanguage = 'zh' | 'en'

/** True where `Accept` names HTML itself, as browsers' page loads do; a bare wildcard is a program's. */
export const acceptsHtml = (accept: string | null): boolean =>
  (accept ?? '').toLowerCase().split(',').some(namesHtml)

const namesHtml = (part: string) =>
  /^[ \t]*(?:text\/html|application\/xhtml\+xml)[ \t]*(?:;|$)/.test(part) && weight(part) > 0

/** The better of Chinese and English by `Accept-Language` (RFC 9110 §12.5.4); Chinese where neither is asked for. */
export function chooseLanguage(acceptLanguage: string | null): PageLanguage {
  let zh = 0
  let en = 0
  for (const part of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const range = part.split(';')[0]?.trim() ?? ''
    if (/^zh(?:-|$)/.test(range)) zh = Math.max(zh, weight(part))
    else if (/^en(?:-|$)/.test(range)) en = Math.max(en, weight(part))
  }
  return en > zh ? 'en' : 'zh'
}

/** The q parameter of one range (RFC 9110 §12.4.2); 1 where absent, 0 where unreadable. */
function weight(part: string): number {
  const q = /;[ \t]*q=([^;]*)/.exec(part)
  if (q === null) return 1
  const value = Number(q[1])
  return value >= 0 && value <= 1 ? value : 0
}
