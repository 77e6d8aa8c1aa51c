import type { Route } from '@homeport/contract/control'
import type { FlowHead } from '@homeport/tunnel'

/** What the agent is told of a flow to a record's target. */
export function flowHeadOf(route: Route, flow: string): FlowHead {
  const { record, target, options } = route
  if (!target.startsWith('https:')) return { record, target, flow }
  const serverName = options.tls_server_name === '' ? undefined : options.tls_server_name
  return { record, target, flow, tls: { verify: options.tls_verify, serverName } }
}
