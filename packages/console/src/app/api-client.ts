import { CallError, type Client, createClient } from '@homeport/contract'
import { readLanguage } from '../i18n/language.ts'
import { paths } from '../paths.ts'
import { createOwnFetch } from './own-fetch.ts'

/**
 * Asks once more after `csrf_failed`: the refusal carries a fresh cookie (the old one belonged to a session that
 * ended or was rotated in another tab), and a refused call did nothing.
 */
export function retryStaleCsrf(client: Client): Client {
  return {
    async call(call, args, options) {
      try {
        return await client.call(call, args, options)
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'csrf_failed') throw error
        return client.call(call, args, options)
      }
    },
  }
}

/** Tells of the one refusal that any way in may meet and one page answers: the account is leaving, and can be restored. */
export function watchLeaving(client: Client, onLeaving: () => void): Client {
  return {
    async call(call, args, options) {
      try {
        return await client.call(call, args, options)
      } catch (error) {
        if (error instanceof CallError && error.code === 'account_leaving') onLeaving()
        throw error
      }
    },
  }
}

// The query goes along: it says where the browser was going.
function leadToRestoration(): void {
  const [, query = ''] = globalThis.location.hash.split('?')
  globalThis.location.hash = `#${paths.restore}${query === '' ? '' : `?${query}`}`
}

/** The console's one fetch: it puts the CSRF header on calls to our own origin. */
export const ownFetch = createOwnFetch({
  fetch: (...args) => globalThis.fetch(...args),
  origin: globalThis.location?.origin ?? 'http://localhost',
  readCookies: () => document.cookie,
  readLanguage,
})

/** The console's one client: own origin, CSRF header, no time-out unless a call asks for one. */
export const client: Client = watchLeaving(
  retryStaleCsrf(createClient({ baseUrl: '', fetch: ownFetch })),
  leadToRestoration,
)
