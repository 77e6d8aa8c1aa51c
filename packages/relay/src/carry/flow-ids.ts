import { randomBytes } from 'node:crypto'

/**
 * Makes ids of flows: unique over restarts and relays without asking the system for randomness each time. Their order can be guessed
 * and tells nothing secret; nothing is opened by one.
 */
export function createFlowIds(): () => string {
  const boot = randomBytes(6).toString('base64url')
  let flows = 0
  return () => `${boot}-${(++flows).toString(36)}`
}
