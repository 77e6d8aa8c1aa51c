import { createInvite, csrfCookie, csrfHeader, signUp } from '@homeport/contract'
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import { type Account, openAccount } from './account.ts'
import { openProfile } from './browser.ts'
import type { Homeport } from './processes.ts'

/** What a page did that it should not do; every list stays empty but for what a test provokes. */
export interface Misdeeds {
  /** Addresses outside the deployment that were asked for. */
  foreign: string[]
  /** What was thrown, and what the page logged as an error. */
  faults: string[]
  /** Answers of 400 and above, as `422 POST /api/user/gate-tickets/`. */
  refused: string[]
  /** Calls to the API whose CSRF header is not the cookie. */
  withoutCsrf: string[]
}

/** A tab that is watched. */
export interface WatchedPage {
  page: Page
  /** How many calls to the API were made, so that empty lists mean something. */
  calls(): number
  /** Waits until every call was judged, then gives the misdeeds and forgets them. */
  take(): Promise<Misdeeds>
}

/** Opens a tab and notes its misdeeds. */
export async function openWatched(context: BrowserContext, origin: string): Promise<WatchedPage> {
  const page = await context.newPage()
  let misdeeds = createMisdeeds()
  let judging: Promise<void>[] = []
  let calls = 0
  const isOurs = ourAddressOf(new URL(origin))
  // By the cookie that went along: the answer of a sign-in brings another one, and may be here before its request is judged.
  // A call that was given up before it left has none; the jar's stands for it.
  const judgeCsrf = async (request: Request) => {
    const headers = await request.allHeaders()
    const along = new RegExp(`(?:^|; )${csrfCookie}=([^;]*)`).exec(headers.cookie ?? '')?.[1]
    const cookie =
      along ?? (await context.cookies(origin)).find(({ name }) => name === csrfCookie)?.value
    if (cookie === undefined || headers[csrfHeader.toLowerCase()] !== cookie) {
      misdeeds.withoutCsrf.push(`${request.method()} ${request.url()}`)
    }
  }
  page.on('request', request => {
    if (!isOurs(request.url())) misdeeds.foreign.push(request.url())
    else if (isCall(request)) {
      calls += 1
      const judged = judgeCsrf(request)
      // `take` tells what went wrong; a tab that closes unasked has nobody to tell.
      judged.catch(() => undefined)
      judging.push(judged)
    }
  })
  page.on('response', response => {
    if (response.status() < 400) return
    const { pathname } = new URL(response.url())
    misdeeds.refused.push(`${response.status()} ${response.request().method()} ${pathname}`)
  })
  page.on('pageerror', error => misdeeds.faults.push(String(error)))
  page.on('console', message => {
    // The browser logs every refused answer itself; those are told above.
    const isRefusal = /^Failed to load resource: the server responded/.test(message.text())
    if (message.type() === 'error' && !isRefusal) misdeeds.faults.push(message.text())
  })
  return {
    page,
    calls: () => calls,
    take: async () => {
      await Promise.all(judging)
      const taken = misdeeds
      judging = []
      misdeeds = createMisdeeds()
      return taken
    },
  }
}

/** A call to the API. The probe that measures the way to a relay is none: a relay may be any host. */
const isCall = (request: Request) =>
  ['fetch', 'xhr'].includes(request.resourceType()) &&
  new URL(request.url()).pathname !== '/healthz'

const createMisdeeds = (): Misdeeds => ({
  foreign: [],
  faults: [],
  refused: [],
  withoutCsrf: [],
})

/** Whether an address belongs to the console or to one of its names. */
function ourAddressOf({ hostname, port }: URL): (address: string) => boolean {
  return address => {
    const url = new URL(address)
    if (['data:', 'blob:', 'about:'].includes(url.protocol)) return true
    const isName = url.hostname === hostname || url.hostname.endsWith(`.${hostname}`)
    return url.protocol === 'http:' && isName && url.port === port
  }
}

/** Nothing that must not happen happened. */
export const noMisdeeds: Readonly<Misdeeds> = createMisdeeds()

/** A browser profile that holds an account's session. */
export async function openSignedIn(
  browser: Browser,
  homeport: Homeport,
  account: Account,
  viewport?: { width: number; height: number },
): Promise<BrowserContext> {
  const context = await openProfile(browser, viewport)
  context.setDefaultTimeout(30_000)
  const cookies = account
    .cookies()
    .split('; ')
    .map(pair => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: homeport.url }
    })
  await context.addCookies(cookies)
  return context
}

/** A button by its words; its picture, or the mark that it is busy, may have a name before them. */
export const buttonIn = (place: Page | Locator, words: string): Locator =>
  place.getByRole('button', { name: new RegExp(`(^| )${words}$`) })

/** Another user, by an invitation of `staff`. */
export async function addUser(
  homeport: Homeport,
  staff: Account,
  user: { username: string; password: string },
): Promise<Account> {
  const { url } = await staff.client.call(createInvite, { body: {} })
  const invite = new URL(url.replace('/#', '')).searchParams.get('invite') ?? ''
  const account = await openAccount(homeport.url)
  await account.client.call(signUp, {
    body: { ...user, invite, accepted_terms_of_service: true },
  })
  return account
}
