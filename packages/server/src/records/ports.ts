/** The pool of ports of tcp records, both ends included. */
export interface PortPool {
  from: number
  to: number
}

/** A port that was given back. */
export interface ReleasedPort {
  port: number
  user_id: number
  released_at: number
}

/**
 * Picks a free port for an owner: the one that the owner gave back last, else a random one that nobody gave back
 * lately, else the one that rested longest. A port that is handed on at once would lead its last visitors, whose
 * programs still dial it, to a stranger. Null where all are in use.
 */
export function choosePort(
  pool: PortPool,
  inUse: Iterable<number>,
  released: readonly ReleasedPort[],
  owner: number,
  random: (limit: number) => number,
): number | null {
  const used = new Set(inUse)
  const resting = released
    .filter(({ port }) => port >= pool.from && port <= pool.to && !used.has(port))
    .sort((a, b) => a.released_at - b.released_at)
  const own = resting.findLast(({ user_id }) => user_id === owner)
  if (own !== undefined) return own.port

  const kept = new Set(resting.map(({ port }) => port))
  const fresh: number[] = []
  for (let port = pool.from; port <= pool.to; port += 1) {
    if (!used.has(port) && !kept.has(port)) fresh.push(port)
  }
  return fresh[fresh.length === 0 ? 0 : random(fresh.length)] ?? resting[0]?.port ?? null
}
