import { logoutDelayMs } from '@homeport/contract'
import { logoutPage } from '../../paths.ts'

/** What signing out needs from the browser. */
export interface SignOutOptions {
  /** Address of the single sign-on provider's JSONP logout; undefined where none is configured. */
  providerLogoutUrl: string | undefined
  /** Starts the JSONP call; its outcome does not matter (decisions.md section 3). */
  startJsonp: (url: string) => void
  wait: (ms: number) => Promise<void>
  go: (url: string) => void
}

/** First the provider's logout where there is one, then after 1000 ms the server's own (client.md section 4). */
export async function signOut(options: SignOutOptions): Promise<void> {
  try {
    if (options.providerLogoutUrl !== undefined) options.startJsonp(options.providerLogoutUrl)
  } catch (error) {
    console.error('provider sign-out', error)
  }
  await options.wait(logoutDelayMs)
  options.go(logoutPage)
}

let calls = 0

/** A JSONP call in the page: a script with a callback that is forgotten with the page. */
export function startJsonp(url: string): void {
  calls += 1
  const callback = `homeportSignedOut${calls}`
  Object.assign(window, { [callback]: () => {} })
  const address = new URL(url, window.location.href)
  address.searchParams.set('callback', callback)
  const script = document.createElement('script')
  script.src = address.href
  script.async = true
  document.head.append(script)
}
