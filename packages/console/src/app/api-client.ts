import { CallError, type Client, createClient } from '@homeport/contract'
import { readLanguage } from '../i18n/language.ts'
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

/** The console's one client: own origin, CSRF header, no time-out unless a call asks for one. */
export const client: Client = retryStaleCsrf(
  createClient({
    baseUrl: '',
    fetch: createOwnFetch({
      fetch: (...args) => globalThis.fetch(...args),
      origin: globalThis.location?.origin ?? 'http://localhost',
      readCookies: () => document.cookie,
      readLanguage,
    }),
  }),
)
