import { ticketParameter } from '@homeport/contract/gate'

/** A request target and what stood in its ticket parameter. */
export interface TicketQuery {
  /** The target without any ticket, the rest byte for byte. */
  readonly cleanPath: string
  /** The first ticket, or null. */
  readonly ticket: string | null
}

/** Takes the ticket out of an origin-form target. */
export function takeTicket(path: string): TicketQuery {
  const question = path.indexOf('?')
  if (question < 0) return { cleanPath: path, ticket: null }
  const prefix = `${ticketParameter}=`
  const parts = path.slice(question + 1).split('&')
  const kept = parts.filter(part => !part.startsWith(prefix) && part !== ticketParameter)
  if (kept.length === parts.length) return { cleanPath: path, ticket: null }
  const ticket = parts.find(part => part.startsWith(prefix))?.slice(prefix.length) ?? ''
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`
  return { cleanPath: path.slice(0, question) + query, ticket }
}
