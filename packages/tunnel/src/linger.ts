import type { Duplex } from 'node:stream'
import type { Clock } from './clock.ts'

/** How long a peer may take to read our last words. */
const LINGER_MS = 2_000

/**
 * Ends a socket so that what was written last arrives. Unread bytes would turn the close into a TCP reset that
 * overtakes it, so they are read and dropped until the peer ends too; a peer that does not is cut off.
 */
export function closeLingering(socket: Duplex, clock: Clock): void {
  const cut = () => socket.destroy()
  const timer = clock.setTimeout(cut, LINGER_MS)
  socket.on('error', cut)
  socket.once('end', cut)
  socket.once('close', () => clock.clearTimeout(timer))
  socket.resume()
  socket.end()
}
