import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Destroys a stream so that its other end cannot take it for a clean end: a TCP socket is reset, since a plain `destroy` sends FIN; TLS
 * ends without close_notify; a tunnel stream resets itself. Unix sockets know no reset.
 */
export function cutStream(stream: Duplex): void {
  const isTcp =
    stream instanceof Socket && !('encrypted' in stream) && stream.remoteAddress !== undefined
  if (isTcp && !stream.destroyed) stream.resetAndDestroy()
  else stream.destroy()
}
