import { createHash } from 'node:crypto'
import { brand, brandSign } from '@homeport/contract'
import { acceptsHtml, chooseLanguage, type PageLanguage } from './accept.ts'
import { type PageCode, type PageKind, pageKinds } from './kinds.ts'
import { pageStyle } from './style.ts'

/** A whole answer of the relay's own, as the door writes it; it adds Date, Content-Length and Connection. */
export interface DoorResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** What a page needs to know of the request that it answers. */
export interface PageRequest {
  readonly accept: string | null
  readonly acceptLanguage: string | null
  /** Host as asked, without a port; null where the head was not readable. */
  readonly host: string | null
  /** Origin-form address for "try again" where it is not the one that was asked; absent: the same one. */
  readonly retryPath?: string | null
  readonly requestId: string
}

/** Seconds after which a `later` is worth asking again. */
const retryAfterSeconds = 5

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

/** Nothing but the page's own style: no script, frame, form or foreign resource, whatever slips into the text. */
const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const words = {
  zh: {
    reason: '原因',
    next: '怎么办',
    retry: '重试',
    address: '地址',
    code: '错误代码',
    id: '请求编号',
  },
  en: {
    reason: 'Why',
    next: 'What to do',
    retry: 'Try again',
    address: 'Address',
    code: 'Code',
    id: 'Request id',
  },
} as const

/** The answer for one code: HTML to a browser's page load, RFC 9457 problem+json to everything else. */
export function renderPage(code: PageCode, request: PageRequest): DoorResponse {
  const kind: PageKind = pageKinds[code]
  const language = chooseLanguage(request.acceptLanguage)
  const isHtml = acceptsHtml(request.accept)
  const headers: [string, string][] = [
    ['Content-Type', isHtml ? 'text/html; charset=utf-8' : 'application/problem+json'],
    ['Content-Language', language === 'zh' ? 'zh-CN' : 'en'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Content-Security-Policy', contentPolicy],
    ['Vary', 'Accept, Accept-Language'],
  ]
  if (kind.retry === 'later') headers.push(['Retry-After', String(retryAfterSeconds)])
  // RFC 9110 §15.5.6: 405 MUST carry Allow; these are what a name may take, whatever its target does with them.
  if (kind.status === 405) headers.push(['Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'])
  // RFC 9110 §15.5.2: 401 MUST carry a challenge; this one makes no browser open its password box.
  if (kind.status === 401) headers.push(['WWW-Authenticate', 'Homeport'])
  const body = isHtml
    ? renderHtml(code, kind, language, request)
    : renderProblem(code, kind, language, request)
  return { status: kind.status, headers, body }
}

function renderProblem(code: string, kind: PageKind, language: PageLanguage, request: PageRequest) {
  const text = kind[language]
  return JSON.stringify({
    type: 'about:blank',
    title: text.title,
    status: kind.status,
    code,
    detail: `${text.reason}${language === 'zh' ? '' : ' '}${text.next}`,
    request_id: request.requestId,
  })
}

function renderHtml(code: string, kind: PageKind, language: PageLanguage, request: PageRequest) {
  const text = kind[language]
  const word = words[language]
  const href = retryReference(request.retryPath ?? '')
  const retry =
    kind.retry === 'never' ? '' : `\n<p><a class="retry" href="${href}">${word.retry}</a></p>`
  const address =
    request.host === null
      ? ''
      : `<dt>${word.address}</dt><dd>${breakAtDots(escapeHtml(request.host))}</dd>`
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${brand} - ${text.title}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="brand">${brandSign}${brand}</p>
<p class="status" aria-hidden="true">${kind.status}</p>
<h1>${text.title}</h1>
<h2>${word.reason}</h2>
<p>${text.reason}</p>
<h2>${word.next}</h2>
<p>${text.next}</p>${retry}
<dl>${address}<dt>${word.code}</dt><dd>${code}</dd><dt>${word.id}</dt><dd>${escapeHtml(request.requestId)}</dd></dl>
</main>
</body>
</html>
`
}

/**
 * A reference to a path of the same name, safe inside quotes. An empty one is the address itself (RFC 3986 §5.2). What begins with two
 * slashes names another host, and browsers read `\\` as a slash: `/.` in front resolves to the same path and keeps the host.
 */
function retryReference(path: string): string {
  if (!path.startsWith('/')) return ''
  return escapeHtml(/^\/[/\\]/.test(path) ? `/.${path}` : path)
}

/** Lets a long name wrap behind a dot rather than inside a label. */
const breakAtDots = (name: string) => name.replaceAll('.', '.<wbr>')

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes text safe between tags and inside quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, c => entities[c] ?? c)
