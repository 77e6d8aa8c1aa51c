import { createHash } from 'node:crypto'
import { brand, brandSign } from '@homeport/contract'
import type { FastifyReply } from 'fastify'
import type { Language } from './language.ts'
import { plainPagePolicy } from './security-headers.ts'

// Colours and sign are the console's.
const style = `
:root { color-scheme: light dark; --text: #16232b; --soft: #51626d; --line: #e4eaee; --back: #f1f5f7; --card: #fff; --main: #0b6b86; --on-main: #fff }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8edf2; --soft: #9aa7b4; --line: #2a343c; --back: #10161a; --card: #182026; --main: #5cc0d6; --on-main: #0b1418 }
}
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  color: var(--text); background: var(--back) }
header { display: flex; align-items: center; gap: 0.625rem; padding: 1rem 1.25rem; font-weight: 600 }
header svg { width: 28px; height: 28px } .mark { fill: var(--main) }
.lines { fill: none; stroke: var(--on-main); stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
main.small { width: calc(100% - 2rem); max-width: 26rem; margin: 4vh auto 2rem; padding: 2rem 1.5rem; text-align: center;
  background: var(--card); border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 12px 32px rgb(11 60 80 / .07) }
.small h1 { margin: 0; font-size: 1.375rem } .small > :last-child, .small section > :last-child { margin-bottom: 0 }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2.5rem } h3 { font-size: 1rem; margin: 0 }
p, td, li, h3 { overflow-wrap: anywhere } p { text-wrap: pretty } td code { white-space: nowrap } .soft { color: var(--soft) }
a { color: var(--main) } code, pre { font: 0.875em/1.5 ui-monospace, Menlo, Consolas, monospace }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0 }
table { border-collapse: collapse; width: 100%; margin: 0.75rem 0; font-size: 0.875rem; display: block; overflow-x: auto }
th, td { text-align: left; vertical-align: top; padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line) }
button, .button { display: inline-block; font: inherit; min-height: 44px; padding: 0.5rem 1.5rem; border: 1px solid var(--line);
  border-radius: 8px; background: var(--card); color: var(--text); text-decoration: none; cursor: pointer }
button.main { background: var(--main); border-color: var(--main); color: var(--on-main) }
button:focus-visible, a:focus-visible, summary:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
svg.code { width: 232px; max-width: 100%; background: #fff; border-radius: 8px }
.number { margin: 0; font: 600 2rem/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 0.15em }
details { margin: 1.5rem 0 } summary { cursor: pointer }
form { display: flex; gap: 1rem; justify-content: center; margin-top: 2rem }
`

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

const styleHash = hashOf(style)

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
  /** One script, the same on every answer: its policy names it by its hash. It may ask this host and no other. */
  script?: string
}

/** Answers a page under a policy that runs no script but the one it names. */
export function sendPlainPage(reply: FastifyReply, page: PlainPage): FastifyReply {
  const lang = page.language === 'zh' ? 'zh-CN' : 'en'
  return reply
    .code(page.status)
    .header(
      'Content-Security-Policy',
      plainPagePolicy(styleHash, page.script && hashOf(page.script)),
    )
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
<header>${brandSign}${brand}</header>
<main${page.isSmall ? ' class="small"' : ''}>
<h1>${escapeHtml(page.title)}</h1>
${page.content}
</main>
${page.script === undefined ? '' : `<script>${page.script}</script>\n`}</body>
</html>
`)
}
