const style = `
:root { color-scheme: light dark; --ink: #1d2733; --paper: #f6f8fa; --card: #fff; --line: #d9e0e7; --accent: #0b7285 }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e9ef; --paper: #12181f; --card: #1b232c; --line: #2d3843; --accent: #66d9e8 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; color: var(--ink); background: var(--paper);
  font: 16px/1.7 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif }
main { width: 100%; max-width: 560px; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.3 }
p { margin: 0 0 16px }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0 }
dt { opacity: .7 }
dd { margin: 0; overflow-wrap: anywhere }
input, button { font: inherit; padding: 8px 12px; border-radius: 8px; border: 1px solid var(--line); background: transparent; color: inherit; max-width: 100% }
button { border-color: var(--accent); color: var(--accent); cursor: pointer }
form { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 16px }
form input { flex: 1 1 200px; min-width: 0 }
output { display: block; white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.7em }
`

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes text safe inside HTML text and quoted attributes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, sign => escapes[sign] ?? '')

/** One page of the sample home; `body` is HTML. */
export const renderPage = (title: string, body: string) => `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`
