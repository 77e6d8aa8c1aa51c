import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { Language } from '../http/language.ts'
import { escapeHtml, sendPlainPage } from '../http/plain-page.ts'
import { loginScript } from './login-script.ts'
import { drawQrPath } from './qr-code.ts'
import type { RequestState, SsoProviderService } from './service.ts'

/** Where the person goes who wants to sign in with a phone. */
export const loginPath = '/sso/login'

/** Light modules around the code: without them many readers do not see it. */
const quietModules = 4

/** Longest parameter that is looked at; ours are far shorter. */
const parameterLimit = 500

const zh = {
  title: '手机扫码登录',
  scan: '请用已经登录的手机扫描二维码，并在手机上确认。',
  code: '登录二维码',
  compare: '手机上应显示同一个数字：',
  scanned: '已扫描，请在手机上核对数字并确认。',
  confirmed: '我已在手机上确认',
  noCamera: '无法扫码？',
  open: '在已登录的手机或浏览器中打开这个地址：',
  otherWay: '用其他方式登录',
  again: '重新登录',
  refused: '手机上拒绝了这次登录。',
  over: '这次登录已过期或已完成。',
  unknown: '这个登录链接无效或已过期。',
}

const texts: Record<Language, typeof zh> = {
  zh,
  en: {
    title: 'Sign in with your phone',
    scan: 'Scan the code with a phone that is signed in, and confirm there.',
    code: 'QR code to sign in',
    compare: 'The phone has to show the same number:',
    scanned: 'Scanned. Compare the number on the phone and confirm.',
    confirmed: 'I have confirmed on the phone',
    noCamera: 'No camera?',
    open: 'Open this address on a phone or browser that is signed in:',
    otherWay: 'Sign in another way',
    again: 'Sign in again',
    refused: 'The phone refused this sign-in.',
    over: 'This sign-in has expired or is done.',
    unknown: 'This link to sign in is not valid or has expired.',
  },
}

type Texts = typeof zh

/** Address of the console's page on which the phone confirms; its fragment reaches no server. */
const confirmPathOf = (id: string) => `/#/sso/confirm?request=${id}`

/**
 * Mounts the page with the QR code. It works while the console's own scripts do not load, and without any script the
 * person says that the phone has confirmed.
 */
export function registerLoginPage(
  app: FastifyInstance,
  { clock, provider }: Pick<ServerContext, 'clock'> & { provider: SsoProviderService },
): void {
  app.get(loginPath, async (request, reply) => {
    const { language, ownOrigin } = request.facts
    const text = texts[language]
    const show = (status: number, content: string, script?: string) =>
      sendPlainPage(reply, {
        status,
        language,
        title: text.title,
        isSmall: true,
        content,
        ...(script === undefined ? {} : { script }),
      })
    const [state, redirectUri] = [
      readParameter(request, 'state'),
      readParameter(request, 'redirect_uri'),
    ]
    const found: RequestState =
      state === '' || redirectUri === ''
        ? { kind: 'unknown' }
        : await provider.look({ state, redirectUri, browserKey: request.browser.csrfValue })

    switch (found.kind) {
      case 'elsewhere':
        return reply.redirect(confirmPathOf(found.id), 303)
      case 'confirmed':
        return goBack(reply, redirectUri, { code: found.code, state })
      case 'refused':
        return show(200, sayEnd(text.refused, text))
      case 'over':
        return show(200, sayEnd(text.over, text))
      case 'unknown':
        return show(404, sayEnd(text.unknown, text))
      case 'waiting': {
        const leftMs = found.expiresAt - clock.now()
        const address = `${ownOrigin}${confirmPathOf(found.id)}`
        return show(200, describe({ ...found, address, leftMs }, text), loginScript)
      }
    }
  })
}

function readParameter(request: FastifyRequest, name: 'state' | 'redirect_uri'): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' && value.length <= parameterLimit ? value : ''
}

/** Back to the address that the sign-on began with, which is ours: it was compared with what this server kept. */
function goBack(reply: FastifyReply, redirectUri: string, query: { code: string; state: string }) {
  const target = new URL(redirectUri)
  target.search = String(new URLSearchParams(query))
  return reply.header('Referrer-Policy', 'no-referrer').redirect(target.href, 303)
}

const sayEnd = (sentence: string, text: Texts) =>
  `<p>${sentence}</p>\n<p><a class="button" href="/#/login">${text.again}</a></p>`

function describe(
  {
    address,
    number,
    category,
    leftMs,
  }: { address: string; number: string; category: string; leftMs: number },
  text: Texts,
): string {
  const { size, path } = drawQrPath(address)
  const side = size + 2 * quietModules
  return `<section data-category="${escapeHtml(category)}" data-left-ms="${leftMs}" data-scanned="${text.scanned}">
<p>${text.scan}</p>
<svg class="code" viewBox="${-quietModules} ${-quietModules} ${side} ${side}" role="img" aria-label="${text.code}" shape-rendering="crispEdges"><path d="${path}"/></svg>
<p>${text.compare}</p>
<p class="number">${number}</p>
<p role="status"></p>
<noscript><p><a class="button" href="">${text.confirmed}</a></p></noscript>
<details><summary>${text.noCamera}</summary><p>${text.open}</p><p><code>${escapeHtml(address)}</code></p></details>
<p><a href="/#/login">${text.otherWay}</a></p>
</section>`
}
