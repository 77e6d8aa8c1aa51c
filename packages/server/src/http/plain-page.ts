import { createHash } from 'node:crypto'
import { brand } from '@homeport/contract'
import type { FastifyReply } from 'fastify'
import type { Language } from './language.ts'
import { plainPagePolicy } from './security-headers.ts'

const style = `
:root { color-scheme: light dark; --text: #1f2329; --soft: #646a73; --line: #dee0e3; --back: #f5f6f7; --card: #fff; --main: #1456c8 }
@media (prefers-color-scheme: dark) {
  :root { --text: #ebebeb; --soft: #a6a6a6; --line: #3a3a3a; --back: #141414; --card: #1f1f1f; --main: #6aa1ff }
}
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  color: var(--text); background: var(--back) }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem }
main.small { max-width: 26rem; padding-top: 15vh; text-align: center }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2.5rem } h3 { font-size: 1rem; margin: 0 }
p, td, li, h3 { overflow-wrap: anywhere } td code { white-space: nowrap } .soft { color: var(--soft) }
a { color: var(--main) } code, pre { font: 0.875em/1.5 ui-monospace, Menlo, Consolas, monospace }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0 }
table { border-collapse: collapse; width: 100%; margin: 0.75rem 0; font-size: 0.875rem; display: block; overflow-x: auto }
th, td { text-align: left; vertical-align: top; padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line) }
button, .button { font: inherit; padding: 0.5rem 1.5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card);
  color: var(--text); text-decoration: none; cursor: pointer }
button.main { background: var(--main); border-color: var(--main); color: var(--card) }
button:focus-visible, a:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
form { display: flex; gap: 1rem; justify-content: center; margin-top: 2rem }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Makes text safe as content and as a quoted attribute. */
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** A page that the server writes itself. `content` is HTML whose texts were escaped. */
export interface PlainPage {
  status: number
  language: Language
  title: string
  content: string
  /** A narrow, centred page for one question or message. */
  isSmall?: boolean
}

/** Answers a page without scripts, under a policy that would not run any. */
export function sendPlainPage(reply: FastifyReply, page: PlainPage): FastifyReply {
  const lang = page.language === 'zh' ? 'zh-CN' : 'en'
  return reply
    .code(page.status)
    .header('Content-Security-Policy', plainPagePolicy(styleHash))
    .header('Vary', 'Accept-Language')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${brand} - ${page.title}`)}</title>
<style>${style}</style>
</head>
<body>
<main${page.isSmall ? ' class="small"' : ''}>
<h1>${escapeHtml(page.title)}</h1>
${page.content}
</main>
</body>
</html>
`)
}
