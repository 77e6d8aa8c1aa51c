import { isWebsocketKey } from '@homeport/tunnel'
import type { RequestHead } from '../visitors/request-head.ts'

function soleValue(head: RequestHead, name: string): string | null {
  const values = head.fields.filter(field => field.name === name)
  return values.length === 1 ? (values[0]?.value ?? null) : null
}

/** The key of an agent that asks for a websocket (RFC 6455 section 4.2.1); null where it does not, or not as it must. */
export function websocketKeyOf(head: RequestHead): string | null {
  if (head.upgrade !== 'websocket' || soleValue(head, 'sec-websocket-version') !== '13') return null
  const key = soleValue(head, 'sec-websocket-key')
  return key !== null && isWebsocketKey(key) ? key : null
}

/** Does an agent ask for a link, on the raw connection or in a websocket? */
export const asksForLink = (head: RequestHead): boolean =>
  head.method === 'GET' &&
  head.framing.kind === 'none' &&
  (head.upgrade === 'homeport/1' || websocketKeyOf(head) !== null)
