import { createHmac } from 'node:crypto'

/**
 * Names a browser in the database. `browserKey` is the CSRF value of the session, or of the cookie a browser has before
 * it signs in: no other browser has it, and the table alone does not give it away.
 */
export const bindingOf = (key: Buffer, browserKey: string): string =>
  createHmac('sha256', key).update(browserKey).digest('base64url')
