import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Call, calls, deleteSession, listSessions } from '@homeport/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Account,
  addDevice,
  administrator,
  publish,
  setUpAdministrator,
} from './support/account.ts'
import { addUser, openSignedIn } from './support/console.ts'
import { type Siblings, siblingFlags, site, startSiblings } from './support/siblings.ts'

// A tunnelled site attacks the console it is a sibling of, as `--same-site-tunnels` allows: `SameSite` holds nothing back there
// and cookies can be tossed. On *.localhost neither can happen, so these stories need a domain of their own.

const main = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))

it('a start without --same-site-tunnels is refused', async () => {
  const args = [main, 'up', '--port', '1', '--insecure-http', ...siblingFlags('http', 1)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      text += chunk
    })
  }
  const [code] = await once(child, 'close')
  expect(code).not.toBe(0)
  expect(text).toContain(`share the registrable domain ${site}`)
})

/**
 * What a page can find out of addresses elsewhere by every means it has to load them: events, sizes, frames, and whether a script ran.
 * Runs in the page.
 */
async function observeFromElsewhere(addresses: string[]) {
  const found = globalThis as unknown as { owned(): void }
  let calls = 0
  found.owned = () => {
    calls += 1
  }
  const place: Record<string, string> = { link: 'href', object: 'data' }
  const load = (kind: string, url: string) =>
    new Promise<string>(resolve => {
      const element = document.createElement(kind)
      Object.assign(element, { rel: 'stylesheet', [place[kind] ?? 'src']: url })
      for (const type of ['load', 'error']) {
        element.addEventListener(type, () => {
          const frames = (element as HTMLIFrameElement).contentWindow?.length ?? 0
          resolve(`${kind} ${type} ${frames} ${element.clientWidth}x${element.clientHeight}`)
        })
      }
      document.body.append(element)
    })
  const ask = async (url: string, mode: RequestMode, redirect: RequestRedirect) => {
    const answer = await fetch(url, { credentials: 'include', mode, redirect }).catch(() => null)
    return answer === null ? 'refused' : `${answer.type} ${answer.status}`
  }
  const kinds = ['img', 'script', 'link', 'object', 'embed', 'iframe', 'video']
  const rows = addresses.map(async url => [
    url,
    await Promise.all([
      ...kinds.map(kind => load(kind, url)),
      ask(url, 'no-cors', 'follow'),
      ...(['follow', 'manual', 'error'] as const).map(redirect => ask(url, 'cors', redirect)),
    ]),
  ])
  const seen: Record<string, string[]> = Object.fromEntries(await Promise.all(rows))
  document.body.replaceChildren()
  return { seen, calls }
}

const mallory = { username: 'mallory', password: 'a long password' }
const unsafe = (call: Call) => call.method !== 'GET' && call.access !== 'agent'

// The same attacks over https are part of the long run.
const schemes = process.env.HOMEPORT_TEST_LONG === '1' ? (['https'] as const) : (['http'] as const)

describe.each<'http' | 'https'>([...schemes])('over %s', scheme => {
  let siblings: Siblings
  let owner: Account
  let attacker: Account
  let evil: Server
  let context: BrowserContext
  /** The owner's console, and a tab on the attacker's site in the same browser. */
  let victim: Page
  let page: Page
  let isCookieHostile = false

  beforeAll(async () => {
    evil = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://evil')
      if (pathname === '/redirect') {
        response.writeHead(302, { location: searchParams.get('to') ?? '/' })
        return response.end()
      }
      if (isCookieHostile) response.setHeader('set-cookie', tossed(['/']))
      response.setHeader('content-type', 'text/html')
      return response.end('<!doctype html><title>evil</title><link rel="icon" href="data:,"><body>')
    })
    evil.listen(0, '127.0.0.1')
    await once(evil, 'listening')
    siblings = await startSiblings(scheme)
    const { homeport } = siblings
    owner = await setUpAdministrator(homeport)
    attacker = await addUser(homeport, owner, mallory)
    const target = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`
    const theirs = await addDevice(homeport, attacker, 'theirs')
    await publish(attacker, theirs.id, { name: 'evil', target })
    const mine = await addDevice(homeport, owner, 'mine')
    await publish(owner, mine.id, { name: 'mine', target, access: ['owner'] })
  })
  afterAll(async () => {
    await siblings?.dispose()
    evil.close()
  })

  /** What the server holds of the victim, but for when it was last seen. */
  async function readState(): Promise<unknown> {
    const { client } = owner
    const read = calls.filter(call => call.method === 'GET' && call.path.startsWith('/api/user/'))
    const answers: Record<string, unknown> = {}
    for (const call of read) {
      if (/\{|events|token-sign/.test(call.path)) continue
      answers[call.path] = await client.call(call, {} as never)
    }
    expect(Object.keys(answers).length).toBeGreaterThan(4)
    const volatile = /^(last_seen_at|expires_at|uptime.*|load)$/
    return JSON.parse(JSON.stringify(answers), (key, value) => (volatile.test(key) ? 0 : value))
  }

  const consoleUrl = (path: string) => siblings.homeport.url + path
  const sessionName = scheme === 'https' ? '__Host-hp_session' : 'hp_session'
  const isSignedIn = (tab: Page) => tab.getByRole('button', { name: '账号菜单' }).waitFor()
  const sessionOf = async () =>
    (await context.cookies(siblings.homeport.url)).filter(({ name }) => name === sessionName)

  /** Lines of cookies that hide or replace the console's, in the words of `Set-Cookie`. */
  function tossed(paths: readonly string[], value = 'A'.repeat(43)): string[] {
    const names = ['csrftoken', 'hp_session', 'hp_pre', '__Host-hp_session', '__Host-hp_pre']
    const gate = ['hp_gate', '__Host-hp_gate', 'hp_nonce', '__Host-hp_nonce']
    const domains = [site, `.${site}`, `console.${site}`, `tunnels.${site}`, 'test']
    return [...names, ...gate].flatMap(name =>
      domains.flatMap(domain =>
        paths.map(path => `${name}=${value}; Domain=${domain}; Path=${path}; Max-Age=3600`),
      ),
    )
  }
  const setCookies = (lines: string[]) =>
    page.evaluate(all => {
      for (const line of all) {
        // biome-ignore lint/suspicious/noDocumentCookie: the attack is just this
        document.cookie = line
        // biome-ignore lint/suspicious/noDocumentCookie: and so for those that have to be secure
        document.cookie = `${line}; Secure`
      }
    }, lines)

  let before: unknown
  beforeEach(async () => {
    before = await readState()
    context = await openSignedIn(siblings.browser, siblings.homeport, owner)
    // Hundreds of hostile requests come before what is waited for.
    context.setDefaultTimeout(45_000)
    victim = await context.newPage()
    await victim.goto(consoleUrl('/#/user/info'))
    await isSignedIn(victim)
    page = await context.newPage()
    await page.goto(siblings.nameUrl('evil'))
    expect(await page.title()).toBe('evil')
  })
  afterEach(async () => {
    expect(await readState()).toEqual(before)
    await context.close()
  })

  /** The victim goes on as if nothing had been. */
  async function expectUnharmed(): Promise<void> {
    await victim.goto('about:blank')
    await victim.goto(consoleUrl('/#/user/info'))
    await isSignedIn(victim)
    await victim.getByText(administrator.username).first().waitFor()
    // An unsafe call of the page itself is still let through.
    const status = await victim.evaluate(async () => {
      const [, token = ''] = /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie) ?? []
      const send = () =>
        fetch('/api/user/gate-tickets/', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrftoken': token },
          body: '{"url":"x"}',
        })
      return (await send()).status
    })
    expect(status).toBe(422)
  }

  /** What the browser sent to the console, as `POST /path`, and answers of success to what could change something. */
  function watchConsole(): { sent: string[]; done: string[] } {
    const sent: string[] = []
    const done: string[] = []
    const { host } = new URL(siblings.homeport.url)
    const isOurs = (url: string) => new URL(url).host === host
    context.on('request', request => {
      if (isOurs(request.url())) sent.push(`${request.method()} ${request.url()}`)
    })
    context.on('response', response => {
      const method = response.request().method()
      const isHarmless = ['GET', 'OPTIONS'].includes(method) || response.status() >= 400
      if (isOurs(response.url()) && !isHarmless) done.push(`${method} ${response.url()}`)
    })
    return { sent, done }
  }

  it('no call is made by a form, fetch, beacon, image or script', async () => {
    await victim.close()
    const { sent, done } = watchConsole()
    const targets = calls.filter(unsafe).map(call => ({
      method: call.method,
      url: consoleUrl(call.path.replace('{pairing}', 'A'.repeat(22)).replace(/\{\w+\}/g, '1')),
    }))
    expect(targets.length).toBeGreaterThan(20)
    // What answers GET must change nothing either; a script that waits for events would only wait.
    const reads = calls.filter(call => call.method === 'GET' && !call.path.includes('events'))
    const pages = [
      ...reads.map(call => call.path.replace(/\{\w+\}/g, '1')),
      '/custom/logout',
      '/custom/sso/callback?code=a&state=b',
      '/custom/check/?code=a&state=b',
      '/sso/login?state=a&redirect_uri=//evil.example/',
    ].map(consoleUrl)
    const body = {
      ...administrator,
      account: mallory.username,
      name: 'owned',
      enabled: false,
      new_password: 'owned by mallory',
      readed_announcement_id: 9,
    }
    await page.evaluate(
      async ({ targets, pages, body }) => {
        const text = JSON.stringify(body)
        const sends = targets.flatMap(({ method, url }) => [
          ...['text/plain', 'application/x-www-form-urlencoded'].map(type =>
            fetch(url, {
              method: 'POST',
              mode: 'no-cors',
              credentials: 'include',
              headers: { 'content-type': type },
              body: text,
            }),
          ),
          // With a preflight, which nobody grants.
          fetch(url, {
            method,
            credentials: 'include',
            headers: { 'content-type': 'application/json', 'x-csrftoken': 'A'.repeat(43) },
            body: text,
          }),
        ])
        for (const { url } of targets) {
          navigator.sendBeacon(url, new Blob([text], { type: 'text/plain' }))
          navigator.sendBeacon(url, new URLSearchParams({ _method: 'DELETE' }))
        }
        const element = (kind: 'img' | 'script', url: string) =>
          document.body.append(Object.assign(document.createElement(kind), { src: url }))
        for (const { url } of targets) element('script', url)
        for (const url of [...targets.map(target => target.url), ...pages]) element('img', url)
        await Promise.allSettled(sends)
      },
      { targets, pages, body },
    )
    // Forms navigate, so they are sent one after another, and only for what would hurt most.
    const forms = [
      '/custom/login/',
      '/custom/password/',
      '/api/user/token-reset/',
      '/api/user/records/',
    ]
    for (const url of forms.map(consoleUrl)) {
      for (const enctype of ['text/plain', 'application/x-www-form-urlencoded']) {
        await page.goto(siblings.nameUrl('evil'))
        const answered = page.waitForResponse(
          response => response.url() === url && response.request().method() === 'POST',
        )
        await page.evaluate(
          ({ url, enctype, text }) => {
            const form = document.createElement('form')
            Object.assign(form, { method: 'POST', action: url, enctype })
            const field = document.createElement('input')
            // As plain text this reads as JSON.
            Object.assign(field, { name: `${text.slice(0, -1)},"x":"`, value: '"}' })
            form.append(field)
            document.body.append(form)
            form.submit()
          },
          { url, enctype, text: JSON.stringify(body) },
        )
        expect((await answered).status(), url).toBe(403)
        await page.waitForURL(url)
      }
    }
    expect(done).toEqual([])
    const posts = sent.filter(line => line.startsWith('POST'))
    expect(posts.length).toBeGreaterThan(targets.length * 3)
    victim = await context.newPage()
    await expectUnharmed()
  })

  it('nobody is signed in by a login from there, or out', async () => {
    const held = await sessionOf()
    await context.clearCookies()
    await page.evaluate(
      async ({ url, body }) => {
        for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
          // The answer is withheld from a page elsewhere, and that looks like a failure.
          await Promise.allSettled([
            fetch(`${url}/custom/login/`, {
              method: 'POST',
              mode: 'no-cors',
              credentials: 'include',
              headers: { 'content-type': type },
              body,
            }),
          ])
        }
      },
      {
        url: siblings.homeport.url,
        body: JSON.stringify({ account: mallory.username, password: mallory.password }),
      },
    )
    expect(await sessionOf()).toEqual([])
    await context.addCookies(held)
    await expectUnharmed()
  })

  it('no link, image, frame, prefetch, form or redirect signs out', async () => {
    const url = consoleUrl('/custom/logout')
    await page.evaluate(async to => {
      for (const referrerPolicy of ['no-referrer', 'unsafe-url'] as const) {
        const options = { mode: 'no-cors', credentials: 'include', referrerPolicy } as const
        await Promise.allSettled([fetch(to, options), fetch(to, { ...options, method: 'POST' })])
        const image = new Image()
        image.referrerPolicy = referrerPolicy
        const seen = new Promise(resolve => {
          image.onload = image.onerror = resolve
        })
        image.src = to
        await seen
      }
      const link = document.createElement('link')
      link.rel = 'prefetch'
      link.href = to
      document.head.append(link)
      const frame = document.createElement('iframe')
      const loaded = new Promise(resolve => frame.addEventListener('load', resolve))
      frame.src = to
      document.body.append(frame)
      await loaded
    }, url)
    for (const way of [
      () => page.evaluate(to => location.assign(to), url),
      // From the console over the attacker's site and back: the way began on our own page, and yet was not ours.
      () =>
        page
          .goto(consoleUrl('/#/check'))
          .then(() =>
            page.evaluate(
              to => location.assign(to),
              `${siblings.nameUrl('evil')}/redirect?to=${encodeURIComponent(url)}`,
            ),
          ),
      () =>
        page.evaluate(to => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'POST', action: to })
          document.body.append(form)
          form.submit()
        }, url),
    ]) {
      await page.goto(siblings.nameUrl('evil'))
      await way()
      await page.getByRole('heading', { name: '退出登录' }).waitFor()
    }
    await expectUnharmed()
  })

  it('no page of ours is shown in a frame', async () => {
    const paths = ['/', '/#/login', '/custom/logout', '/api/docs', '/api/profile/', '/sso/login']
    for (const url of [...paths.map(consoleUrl), siblings.nameUrl('mine')]) {
      await page.evaluate(async to => {
        const frame = document.createElement('iframe')
        const loaded = new Promise(resolve => frame.addEventListener('load', resolve))
        frame.src = to
        document.body.replaceChildren(frame)
        await loaded
      }, url)
      const [, frame] = page.frames()
      expect(frame?.url(), url).toMatch(/^chrome-error:/)
    }
    await expectUnharmed()
  })

  it('tossed cookies neither sign in nor out, nor spoil the CSRF value', async () => {
    // Longer paths and older cookies stand first in what the browser sends.
    const paths = ['/', '/api', '/api/', '/api/profile', '/custom', '/api/user']
    const held = await sessionOf()
    // A call of the page that left with the tossed session alone would have it taken away, and with it the one put back.
    await victim.goto('about:blank')
    await context.clearCookies()
    await setCookies(tossed(paths))
    await context.addCookies(held)
    await expectUnharmed()
    await setCookies(tossed(paths))
    await expectUnharmed()
    const { token = '' } = Object.fromEntries(
      attacker
        .cookies()
        .split('; ')
        .map(pair => pair.split('=') as [string, string])
        .map(([name, value]) => [name === sessionName ? 'token' : name, value]),
    )
    expect(token).not.toBe('')
    // The attacker's own live session beside the owner's: never taken for it.
    await setCookies(tossed(['/', '/api'], token))
    await victim.goto('about:blank')
    // Of two sessions that live none counts, until the first answer has taken away what was tossed.
    const answered = victim.waitForResponse('**/api/profile/')
    await victim.goto(consoleUrl('/#/check'))
    await (await answered).finished()
    await expectUnharmed()
  })

  it('a target cannot set cookies for its parents', async () => {
    isCookieHostile = true
    try {
      await page.reload()
    } finally {
      isCookieHostile = false
    }
    const wide = (await context.cookies()).filter(({ domain }) => domain.startsWith('.'))
    expect(wide).toEqual([])
    await expectUnharmed()
  })

  it('a gate opens for its owner whatever was tossed at it', async () => {
    const paths = ['/', '/a', '/a/', '/a/b', '/a/b/', '/a/b/c']
    await setCookies(tossed(paths))
    await page.goto(`${siblings.nameUrl('mine')}/a/b/c`)
    await page.waitForURL(`${siblings.nameUrl('mine')}/a/b/c`)
    expect(await page.title()).toBe('evil')
    // The pass of one name is none on another, tossed or not.
    const pass = (await context.cookies(siblings.nameUrl('mine'))).find(
      ({ name, domain }) => name.endsWith('hp_gate') && domain.startsWith('mine.'),
    )
    expect(pass?.value).toMatch(/\./)
    await expectUnharmed()
  })

  it('no address of ours loads, runs or tells whether somebody is signed in', async () => {
    const paths = ['/api/profile/', '/api/user/sessions/', '/custom/logout', '/nowhere']
    const addresses = [...paths, '/sso/logout?callback=owned', '/sso/login'].map(consoleUrl)
    const observe = () => page.evaluate(observeFromElsewhere, addresses)
    const inside = await observe()
    const held = await context.cookies()
    await context.clearCookies()
    const outside = await observe()
    await context.addCookies(held)
    expect(outside).toEqual(inside)
    expect(inside.calls).toBe(0)
    // All look alike, whatever they answer, and to every request whose answer a page may read there is none.
    const [first, ...others] = Object.values(inside.seen)
    expect(others).toEqual(others.map(() => first))
    expect(first?.slice(-4)).toEqual(['refused', 'refused', 'refused', 'refused'])
    expect(first?.find(line => line.startsWith('script'))).toMatch(/^script error/)
    await expectUnharmed()
  })

  it('an overflowing cookie jar costs the session of this browser, and nothing more', async () => {
    await page.evaluate(domain => {
      for (let index = 0; index < 400; index += 1) {
        // biome-ignore lint/suspicious/noDocumentCookie: the attack is just this
        document.cookie = `fill${index}=${index}; Domain=${domain}; Path=/; Max-Age=3600; Secure`
        // biome-ignore lint/suspicious/noDocumentCookie: the attack is just this
        document.cookie = `more${index}=${index}; Domain=${domain}; Path=/; Max-Age=3600`
      }
      // Writing returns before the jar has the cookie, reading only after.
      return document.cookie
    }, site)
    // Over https the browser gives cookies up that are not secure first; the session may be spared then.
    const isForgotten = (await sessionOf()).length === 0
    expect(isForgotten || scheme === 'https').toBe(true)
    if (!isForgotten) return expectUnharmed()
    await victim.goto('about:blank')
    await victim.goto(consoleUrl('/#/devices'))
    await victim.locator('input[name=password]').waitFor()
    // Who signs in again is in, however full the jar is, and out again when they say so.
    const post = (path: string, body: object) =>
      victim.evaluate(
        async ([to, text]) => {
          const [, token = ''] = /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie) ?? []
          const headers = { 'content-type': 'application/json', 'x-csrftoken': token }
          return (await fetch(to, { method: 'POST', headers, body: text })).status
        },
        [path, JSON.stringify(body)] as const,
      )
    const { username: account, password } = administrator
    expect(await post('/custom/login/', { account, password })).toBe(200)
    await expectUnharmed()
    const { client } = owner
    const others = (await client.call(listSessions, {})).filter(session => !session.current)
    expect(others).toHaveLength(1)
    for (const { id } of others) await client.call(deleteSession, { params: { id } })
  })

  it('cookies that are too large for any request are told as such, and harm nothing once removed', async () => {
    await page.evaluate(domain => {
      for (let index = 0; index < 3; index += 1) {
        // biome-ignore lint/suspicious/noDocumentCookie: the attack is just this
        document.cookie = `bomb${index}=${'x'.repeat(3900)}; Domain=${domain}; Path=/; Max-Age=3600`
      }
    }, site)
    await victim.goto(consoleUrl('/custom/logout'))
    await victim.getByText('请清除此网站的 Cookie 后再试').waitFor()
    await context.clearCookies({ name: /^bomb/ })
    await expectUnharmed()
  })
})
