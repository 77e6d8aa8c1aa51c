import type { Clock } from '../clock.ts'
import type { Muxer } from '../yamux/muxer.ts'
import type { YamuxStream } from '../yamux/stream.ts'
import type { FlowHead } from './head.ts'
import { openFlow } from './open-flow.ts'

/**
 * The relay's side of a move: an open flow goes on over another link, and neither visitor nor target notices. Resolves with the stream
 * on that link once the agent has agreed. Rejects as `openFlow` where it has not; the flow then stays where it is.
 */
export async function moveFlow(
  stream: YamuxStream,
  head: FlowHead,
  to: Muxer,
  options: { readonly timeoutMs: number; readonly clock?: Clock | undefined },
): Promise<YamuxStream> {
  stream.prepareMove()
  try {
    const next = await openFlow(to, { ...head, isMove: true }, options)
    next.markBulk()
    stream.continueOn(next)
    return next
  } catch (cause) {
    stream.stay()
    throw cause
  }
}
