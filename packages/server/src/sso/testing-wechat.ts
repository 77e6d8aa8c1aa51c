import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Somebody who scans the code of WeChat's page. */
export interface WechatPerson {
  openid: string
  unionid?: string
  nickname: string
}

/**
 * WeChat's open platform on loopback: its page (for a browser, and as `confirm` for none) and its API with the checks of the real ones (appid, secret, grant type, codes
 * that count once and for five minutes, tokens of their openid), answered as it answers: status 200 and `errcode`.
 */
export interface TestWechat {
  readonly url: string
  readonly app: { appId: string; secret: string }
  /** The person at the page says yes; gives the address WeChat sends the browser to. Throws what WeChat's page would show. */
  confirm(loginUrl: string, person: WechatPerson): URL
  /** The next API call is answered with this code. */
  failNext(errcode: number): void
  /** Time at WeChat, in ms after its start. */
  advance(ms: number): void
  stop(): Promise<void>
}

const codeMs = 5 * 60 * 1000
const app = { appId: 'wx0123456789abcdef', secret: 'a secret of the test, 32 letters' }

/** Starts one that sends browsers back to one host alone, as an app is registered for. */
export async function startTestWechat(callbackHost: string): Promise<TestWechat> {
  const codes = new Map<string, { person: WechatPerson; expiresAt: number; isUsed: boolean }>()
  const tokens = new Map<string, WechatPerson>()
  let now = 0
  let forced: number | undefined
  let count = 0

  const trade = (query: URLSearchParams) => {
    if (query.get('appid') !== app.appId) return { errcode: 40013, errmsg: 'invalid appid' }
    if (query.get('secret') !== app.secret) return { errcode: 40125, errmsg: 'invalid appsecret' }
    if (query.get('grant_type') !== 'authorization_code') {
      return { errcode: 40002, errmsg: 'invalid grant_type' }
    }
    const code = query.get('code') ?? ''
    if (code === '') return { errcode: 41008, errmsg: 'missing code' }
    const issued = codes.get(code)
    if (issued === undefined) return { errcode: 40029, errmsg: 'invalid code' }
    if (issued.isUsed) return { errcode: 40163, errmsg: 'code been used' }
    if (issued.expiresAt <= now) return { errcode: 42003, errmsg: 'oauth_code expired' }
    issued.isUsed = true
    const { person } = issued
    const token = `token-${code}`
    tokens.set(token, person)
    return {
      access_token: token,
      expires_in: 7200,
      refresh_token: `refresh-${code}`,
      openid: person.openid,
      scope: 'snsapi_login',
      ...(person.unionid === undefined ? {} : { unionid: person.unionid }),
    }
  }

  const tell = (query: URLSearchParams) => {
    const person = tokens.get(query.get('access_token') ?? '')
    if (person === undefined) return { errcode: 40001, errmsg: 'invalid credential' }
    if (person.openid !== query.get('openid')) return { errcode: 40003, errmsg: 'invalid openid' }
    return { ...person, sex: 0, language: 'zh_CN', headimgurl: '', privilege: [] }
  }

  const issue = (person: WechatPerson): string => {
    count += 1
    const code = `code-${count}`
    codes.set(code, { person, expiresAt: now + codeMs, isUsed: false })
    return code
  }

  /** The page with the QR code, and what happens once it was scanned: here the person says who they are, and yes or no. */
  const pages: Record<string, (query: URLSearchParams, response: ServerResponse) => void> = {
    '/connect/qrconnect'(query, response) {
      const faults = findFaults(query, callbackHost)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      if (faults.length > 0) return void response.end(faults.join(', '))
      const hidden = ['redirect_uri', 'state'].map(
        name => `<input type="hidden" name="${name}" value="${query.get(name)}">`,
      )
      response.end(`<!doctype html><title>微信登录</title><form action="/connect/answer">
${hidden.join('')}<label>微信号 <input name="openid"></label><label>昵称 <input name="nickname"></label>
<button name="answer" value="yes">同意</button><button name="answer" value="no">拒绝</button></form>`)
    },
    '/connect/answer'(query, response) {
      const back = new URL(query.get('redirect_uri') ?? '')
      const [openid, nickname] = [query.get('openid') ?? '', query.get('nickname') ?? '']
      // Whoever says no is sent back with the state alone.
      const isYes = query.get('answer') === 'yes'
      if (isYes) back.searchParams.set('code', issue({ openid, nickname }))
      back.searchParams.set('state', query.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
    },
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://wechat')
    const page = pages[pathname]
    if (page !== undefined) return page(searchParams, response)
    const calls: Record<string, (query: URLSearchParams) => object> = {
      '/sns/oauth2/access_token': trade,
      '/sns/userinfo': tell,
    }
    const call = calls[pathname]
    if (call === undefined || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    const answer = forced === undefined ? call(searchParams) : { errcode: forced, errmsg: 'forced' }
    forced = undefined
    // WeChat labels its JSON as text.
    response.setHeader('content-type', 'text/plain')
    response.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    app,

    confirm(loginUrl, person) {
      const { pathname, searchParams: query, hash } = new URL(loginUrl)
      const faults = findFaults(query, callbackHost)
      if (pathname !== '/connect/qrconnect') faults.push('no such page')
      if (hash !== '#wechat_redirect') faults.push('no #wechat_redirect')
      if (faults.length > 0) throw new Error(faults.join(', '))
      const back = new URL(query.get('redirect_uri') ?? '')
      back.searchParams.set('code', issue(person))
      back.searchParams.set('state', query.get('state') ?? '')
      return back
    },

    failNext(errcode) {
      forced = errcode
    },

    advance(ms) {
      now += ms
    },

    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What WeChat's page says of an address that it does not take. */
function findFaults(query: URLSearchParams, callbackHost: string): string[] {
  const back = URL.parse(query.get('redirect_uri') ?? '')
  return [
    query.get('appid') === app.appId ? '' : 'AppID 参数错误',
    back?.host === callbackHost ? '' : 'redirect_uri 参数错误',
    query.get('scope') === 'snsapi_login' ? '' : 'Scope 参数错误或没有 Scope 权限',
    query.get('response_type') === 'code' ? '' : 'response_type 参数错误',
    /^[A-Za-z0-9]{1,128}$/.test(query.get('state') ?? '') ? '' : 'state 参数错误',
  ].filter(fault => fault !== '')
}
