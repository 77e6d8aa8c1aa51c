import type { Connection } from './context.ts'

/** How many go at once where nobody holds more than another: looking for them costs more than what they free. */
const batchCount = 16

/**
 * Connections that a full door closes for a newcomer: only such as have no request under way, which a browser opens anew without a
 * word. The address that has most of them loses half, so that no handful of addresses can keep everybody else out; where all have one,
 * those that came first go. Empty where every connection has a request under way.
 */
export function pickForNewcomer(connections: ReadonlyMap<Connection, string>): Connection[] {
  const idle = new Map<string, Connection[]>()
  let fullest: Connection[] = []
  const first: Connection[] = []
  for (const [connection, address] of connections) {
    if (!connection.isIdle()) continue
    const ofAddress = idle.get(address) ?? []
    idle.set(address, ofAddress)
    ofAddress.push(connection)
    if (ofAddress.length > fullest.length) fullest = ofAddress
    if (first.length < batchCount) first.push(connection)
  }
  return fullest.length > 1 ? fullest.slice(0, Math.ceil(fullest.length / 2)) : first
}
