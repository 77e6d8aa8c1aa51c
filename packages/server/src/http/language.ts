/** Languages the server answers in. */
export type Language = 'zh' | 'en'

/** Picks the language of a caller from `Accept-Language` (RFC 9110 section 12.5.4); Chinese unless English is liked more. */
export function pickLanguage(header: string | undefined): Language {
  let best: Language = 'zh'
  let bestWeight = 0
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
    const primary = range.split('-')[0]
    if (primary !== 'zh' && primary !== 'en') continue
    const q = parameters.map(p => /^\s*q=([01](?:\.\d{0,3})?)$/.exec(p)?.[1]).find(v => v)
    const weight = q === undefined ? 1 : Number(q)
    if (weight > bestWeight) {
      best = primary
      bestWeight = weight
    }
  }
  return best
}
