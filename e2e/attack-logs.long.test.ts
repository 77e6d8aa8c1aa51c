import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import {
  bindPhone,
  changePassword,
  checkSso,
  confirmEmail,
  confirmSecondFactor,
  confirmSsoRequest,
  createGateTicket,
  createInvite,
  enrolSecondFactor,
  finishSignIn,
  getCaptcha,
  getProfile,
  leave,
  linkIdentity,
  login,
  openSsoRequest,
  patchOwnProfile,
  pollSsoEvents,
  reauthenticate,
  resetPassword,
  resetToken,
  restoreAccount,
  type SmsScene,
  sendSmsCode,
  signInWithPhone,
  signToken,
  signUp,
  solveCaptcha,
  ssoCategoryOf,
  startPairing,
  startSso,
} from '@homeport/contract'
import { afterAll, expect, it, vi } from 'vitest'
import {
  passProvider,
  startTestProvider,
  type TestProvider,
} from '../packages/server/src/sso/testing-oidc.ts'
import {
  type Account,
  addDevice,
  administrator,
  openAccount,
  publish,
  setUpAdministrator,
} from './support/account.ts'
import { createAuthenticatorApp } from './support/authenticator-app.ts'
import { withDatabase } from './support/captcha.ts'
import { letPhonesRest } from './support/phone.ts'
import { freePort, type Homeport, startHomeport } from './support/processes.ts'

// A whole life of accounts against a deployment that says as much as it can; then everything it printed and left behind is searched for
// every secret that was used on the way.

const phone = '+8613800138000'
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** Every secret that was used, with the place it was used at. */
function createSecrets() {
  const all = new Map<string, string>()
  return {
    all,
    /** Notes one and gives it back. */
    keep(place: string, secret: string | undefined): string {
      expect(secret ?? '', place).not.toBe('')
      all.set(secret ?? '', place)
      return secret ?? ''
    },
    /** Notes the cookies that an account holds. */
    keepCookies(place: string, account: Account): void {
      for (const pair of account.cookies().split('; ')) {
        all.set(pair.slice(pair.indexOf('=') + 1), `${place}: cookie ${pair.split('=')[0]}`)
      }
    },
  }
}

/** Shows the work that the challenge for those without pictures asks for; gives the ticket. */
async function solveByWork({ client }: Account, scene: 'bind' | 'reset' | 'login') {
  const captcha = await client.call(getCaptcha, { query: { scene, kind: 'work' } })
  if (captcha.kind !== 'work') throw new Error('another kind')
  const isDone = (part: number, nonce: number) => {
    const hash = createHash('sha256').update(`${captcha.salt}:${part}:${nonce}`).digest()
    return hash.readUInt32BE(0) >>> (32 - captcha.bits) === 0
  }
  const nonces = Array.from({ length: captcha.parts }, (_, part) => {
    let nonce = 0
    while (!isDone(part, nonce)) nonce += 1
    return nonce
  })
  const { ticket } = await client.call(solveCaptcha, {
    body: { key: captcha.key, value: { nonces } },
  })
  return { key: captcha.key, ticket }
}

/** A vendor of text messages that takes everything, and remembers the codes. */
async function startVendor() {
  const codes: string[] = []
  const server = createServer((asked, response) => {
    const { searchParams } = new URL(asked.url ?? '', 'http://vendor')
    codes.push(JSON.parse(searchParams.get('TemplateParam') ?? '{}').code ?? '')
    response.setHeader('content-type', 'application/json')
    response.end('{"Code":"OK","Message":"OK","BizId":"1","RequestId":"1"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => new Promise(resolve => server.close(resolve)))
  return { codes, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it.each(['development', 'production'] as const)('%s tells no secret to any log', async mode => {
  const { all, keep, keepCookies } = createSecrets()
  const port = await freePort()
  const provider: TestProvider = await startTestProvider(`http://localhost:${port}`)
  closing.push(() => provider.stop())
  const vendor = await startVendor()
  const homeport: Homeport = await startHomeport([], {
    port,
    env: {
      HOMEPORT_MODE: mode,
      HOMEPORT_LOG: 'trace',
      HOMEPORT_SIGNUP: 'open',
      HOMEPORT_SECRET_KEY: keep('environment', `${'c0ffee'.repeat(10)}abcd`),
      HOMEPORT_OIDC_ISSUER: provider.issuer,
      HOMEPORT_OIDC_CLIENT_ID: provider.client.clientId,
      HOMEPORT_OIDC_CLIENT_SECRET: keep('environment', provider.client.clientSecret),
      HOMEPORT_WECHAT_APP_ID: 'wx0123456789abcdef',
      HOMEPORT_WECHAT_SECRET: keep('environment', 'secret of the app at WeChat'),
      // A server that nobody is at: letters fail, and the log says why.
      HOMEPORT_SMTP_URL: `smtp://post:${keep('environment', 'password-of-the-post')}@127.0.0.1:1`,
      HOMEPORT_MAIL_FROM: 'noreply@example.com',
      HOMEPORT_SMS: 'aliyun',
      HOMEPORT_SMS_KEY_ID: 'LTAI0123456789',
      HOMEPORT_SMS_KEY_SECRET: keep('environment', 'secret-of-the-vendor'),
      HOMEPORT_SMS_SIGN_NAME: '归港',
      HOMEPORT_SMS_TEMPLATE: 'SMS_123456789',
      HOMEPORT_SMS_ENDPOINT: vendor.url,
    },
  })
  closing.push(() => homeport.dispose())
  const [, setUpCode = ''] = await homeport.waitFor(/#\/setup\?code=([A-Za-z0-9_-]+)/)
  const owner = await setUpAdministrator(homeport)
  keep('password', administrator.password)
  keepCookies('set-up', owner)

  // Passwords: wrong, right, new.
  const user = { username: 'xiaoming', password: keep('password', 'the first password of li') }
  const { url: inviteUrl } = await owner.client.call(createInvite, { body: {} })
  const invite = keep(
    'invitation',
    new URL(inviteUrl.replace('/#', '')).searchParams.get('invite') ?? '',
  )
  const account = await openAccount(homeport.url)
  keepCookies('before sign-up', account)
  await account.client.call(signUp, { body: { ...user, invite, accepted_terms_of_service: true } })
  keepCookies('sign-up', account)
  const wrong = keep('wrong password', 'nobody has this password')
  const stranger = await openAccount(homeport.url)
  const typed = { account: user.username, password: wrong }
  await expect(stranger.client.call(login, { body: typed })).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
  await expect(
    account.client.call(reauthenticate, { body: { password: wrong } }),
  ).rejects.toMatchObject({ code: 'wrong_password' })
  const new_password = keep('password', 'the second password of li')
  await account.client.call(changePassword, { body: { old_password: user.password, new_password } })

  // The enrolment token, its signed form, devices.
  const [profile] = await account.client.call(getProfile, {})
  keep('enrolment token', profile?.token)
  await account.client.call(resetToken, {})
  const [after] = await account.client.call(getProfile, {})
  keep('enrolment token', after?.token)
  keep('signed token', (await account.client.call(signToken, {})).token)
  const { id } = await addDevice(homeport, account, 'nas')
  await publish(account, id, {
    name: 'mine',
    target: `http://127.0.0.1:${port}`,
    access: ['owner'],
  })
  const nobody = await openAccount(homeport.url)
  const waiting = await nobody.client.call(startPairing, {
    body: { public_key: 'A'.repeat(43), name: 'router' },
  })
  keep('pairing', waiting.pairing)

  // Behind the gate.
  const nonce = keep('nonce of the gate', 'N'.repeat(43))
  const { location } = await account.client.call(createGateTicket, {
    body: {
      url: `http://mine.localhost:${port}/`,
      n: createHash('sha256').update(nonce).digest('base64url'),
    },
  })
  const ticketUrl = new URL(location)
  keep('ticket', ticketUrl.searchParams.get('__hp_ticket') ?? '')
  const visit = (path: string, cookie: string) =>
    new Promise<string[]>((resolve, reject) => {
      const headers = { host: `mine.localhost:${port}`, accept: 'text/html', cookie }
      request({ host: '127.0.0.1', port, path, headers }, response => {
        response.resume().once('end', () => resolve(response.headers['set-cookie'] ?? []))
      })
        .once('error', reject)
        .end()
    })
  const [passLine = ''] = await visit(ticketUrl.pathname + ticketUrl.search, `hp_nonce=${nonce}`)
  const [, pass] = /hp_gate=([^;]+)/.exec(passLine) ?? []
  keep('pass', pass)
  await visit('/?token=a', `hp_gate=${pass}`)

  // Phone.
  const send = async (who: Account, scene: SmsScene & ('bind' | 'reset' | 'login')) => {
    const { key, ticket } = await solveByWork(who, scene)
    keep('captcha', key)
    keep('captcha ticket', ticket)
    const before = vendor.codes.length
    await who.client.call(sendSmsCode, { body: { phone, scene, captcha_ticket: ticket } })
    await vi.waitFor(() => expect(vendor.codes.length).toBe(before + 1), { timeout: 15_000 })
    letPhonesRest(homeport)
    return keep(`code to ${scene}`, vendor.codes.at(-1))
  }
  await account.client.call(bindPhone, { body: { phone, code: await send(account, 'bind') } })
  const byPhone = await openAccount(homeport.url)
  const loginCode = await send(byPhone, 'login')
  await byPhone.client.call(signInWithPhone, { body: { phone, code: loginCode } })
  keepCookies('by phone', byPhone)
  const resetCode = await send(stranger, 'reset')
  const password = keep('password', 'the third password of li')
  await stranger.client.call(resetPassword, { body: { phone, code: resetCode, password } })

  // Two steps.
  const again = await openAccount(homeport.url)
  await again.client.call(login, { body: { account: user.username, password } })
  keepCookies('password', again)
  const { secret, otpauth_url: otpauth } = await again.client.call(enrolSecondFactor, {})
  keep('two-step secret', secret)
  keep('two-step secret', otpauth)
  const app = createAuthenticatorApp(secret)
  const firstCode = keep('two-step code', app.next())
  const { recovery_codes: recoveryCodes } = await again.client.call(confirmSecondFactor, {
    body: { code: firstCode },
  })
  for (const code of recoveryCodes) keep('recovery code', code)
  const second = await openAccount(homeport.url)
  await expect(
    second.client.call(login, { body: { account: user.username, password } }),
  ).rejects.toMatchObject({ code: 'second_factor_required' })
  keepCookies('first step', second)
  const [recovery = ''] = recoveryCodes
  await second.client.call(finishSignIn, { body: { second_factor: recovery } })
  keepCookies('second step', second)

  // E-mail: the letter does not get through, and neither does its link.
  await second.client.call(patchOwnProfile, { body: { email: 'li@example.com' } })
  await homeport.waitFor(/mail|letter/i)
  const link = keep('link of a letter', 'L'.repeat(32))
  await expect(second.client.call(confirmEmail, { body: { token: link } })).rejects.toMatchObject({
    code: 'email_link_invalid',
  })

  // Other services, and a phone.
  const outside = await openAccount(homeport.url)
  const begun = await outside.client.call(startSso, {
    body: { provider: 'oidc', accepted_terms_of_service: true },
  })
  keep('state', begun.state)
  for (const name of ['nonce', 'code_challenge'])
    keep(name, new URL(begun.login_url).searchParams.get(name) ?? '')
  const back = await passProvider(begun.login_url, 'xiaohong')
  keep('code of a provider', back.searchParams.get('code') ?? '')
  await fetch(back, { redirect: 'manual' })
  const answer = Object.fromEntries(back.searchParams) as { code: string; state: string }
  await outside.client.call(checkSso, { query: answer })
  keepCookies('by a provider', outside)
  const linking = await outside.client.call(linkIdentity, { body: { provider: 'wechat' } })
  keep('state', linking.state)
  const forged = { code: keep('code of WeChat', 'a-code-of-wechat'), state: linking.state }
  await expect(outside.client.call(checkSso, { query: forged })).rejects.toThrow()

  const desktop = await openAccount(homeport.url)
  const own = await desktop.client.call(startSso, { body: { provider: 'homeport' } })
  keep('state', own.state)
  keep('category', own.id)
  const scanned = await fetch(own.login_url, { redirect: 'manual' })
  const [, asked = ''] = /request=([\w-]+)/.exec(scanned.headers.get('location') ?? '') ?? []
  keep('request', asked)
  await owner.client.call(openSsoRequest, { body: { request: asked } })
  await owner.client.call(confirmSsoRequest, { body: { request: asked } })
  const told = await desktop.client.call(pollSsoEvents, {
    query: { category: ssoCategoryOf(own.id), timeout: 5, since_time: 0 },
  })
  const event = 'events' in told ? told.events.at(-1)?.data : undefined
  const code = keep('code of a phone', event?.state === 'confirmed' ? event.code : '')
  await desktop.client.call(checkSso, { query: { code, state: own.state } })
  keepCookies('by a phone', desktop)

  // Leaving and coming back.
  await outside.client.call(leave, {
    body: { username: (await outside.client.call(getProfile, {}))[0]?.username ?? '' },
  })
  await expect(outside.client.call(restoreAccount, {})).rejects.toMatchObject({
    code: 'sign_in_expired',
  })

  // Faults: with a table gone every call that needs it is a fault of ours, and the log says which.
  for (const table of [
    'users',
    'single_uses',
    'sessions',
    'invites',
    'sso_requests',
    'email_changes',
  ]) {
    const rename = (from: string, to: string) =>
      withDatabase(homeport, database => database.exec(`alter table ${from} rename to ${to}`))
    rename(table, 'hidden')
    const tries = [
      () => nobody.client.call(login, { body: { account: user.username, password } }),
      () =>
        nobody.client.call(signUp, { body: { ...user, invite, accepted_terms_of_service: true } }),
      () => nobody.client.call(checkSso, { query: answer }),
      () => nobody.client.call(signInWithPhone, { body: { phone, code: loginCode } }),
      () => nobody.client.call(finishSignIn, { body: { second_factor: recovery } }),
      () => second.client.call(confirmEmail, { body: { token: link } }),
      () => owner.client.call(openSsoRequest, { body: { request: asked } }),
    ]
    const outcomes = await Promise.allSettled(tries.map(run => run()))
    rename('hidden', table)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
  }
  expect(homeport.output()).toContain('a call failed')

  // Addresses that nobody serves, and requests that nobody can read.
  const secrets = [...all.keys()].filter(secret => /^[\w.-]{16,}$/.test(secret))
  for (const secret of secrets) {
    await fetch(`${homeport.url}/nowhere/${secret}?token=${secret}&x=${secret}`, {
      headers: { referer: `${homeport.url}/?code=${secret}` },
    })
  }
  for (const text of [
    `GET /${secrets[0]} HTTP/9.9\r\nHost: localhost\r\nCookie: hp_session=${secrets[1]}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ${secrets.join('; ').padEnd(80_000, 'x')}\r\n\r\n`,
    `${secrets[2]}\r\n\r\n`,
  ]) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end(text)
    socket.resume()
    await once(socket, 'close')
  }

  await homeport.stop()
  const output = homeport.output()
  // What a program keeps is the last MiB; nothing was lost at the front.
  expect(output).toContain(setUpCode)
  expect(output.split(setUpCode)).toHaveLength(2)
  expect(all.size).toBeGreaterThan(60)
  const leaked = [...all].filter(([secret]) => isIn(output, secret))
  expect(leaked.map(([, place]) => place)).toEqual([])
  for (const [file, text] of await readTexts(homeport.folder)) {
    const found = [...all].filter(([secret]) => isIn(text, secret))
    expect(found.map(([, place]) => `${file}: ${place}`)).toEqual([])
  }
})

/** Figures alone count where no other figure stands beside them: six of them are part of many a number. */
const isIn = (text: string, secret: string) =>
  /^\d{6}$/.test(secret)
    ? new RegExp(`(?<![\\w.:-])${secret}(?![\\w.:-])`).test(text)
    : text.includes(secret)

/** Every file a deployment left but its database, whose columns have tests of their own. */
async function readTexts(folder: string): Promise<[string, string][]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile() && !/\.sqlite(-wal|-shm)?$/.test(entry.name))
  return Promise.all(
    files.map(async entry => {
      const path = join(entry.parentPath, entry.name)
      return [path, await readFile(path, 'latin1')] as [string, string]
    }),
  )
}
