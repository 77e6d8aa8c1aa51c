import { INITIAL_WINDOW_BYTES } from './constants.ts'

/** The bounds of one muxer; docs/protocol.md explains each number. */
export interface YamuxConfig {
  /** Streams the peer may have open at once; a further one is reset. */
  readonly inboundStreamLimit: number
  /** Streams this side may have open at once; a further `openStream` throws `stream_limit`. */
  readonly outboundStreamLimit: number
  /** Streams of the peer that wait for `acceptStreams`; a further one is reset. */
  readonly backlogLimit: number
  /** Largest receive window of one stream, in bytes. */
  readonly windowLimitBytes: number
  /** What all windows together may grow above their first 256 KiB, in bytes. */
  readonly windowGrowthLimitBytes: number
  /** Bytes received and unread on all streams together; beyond it the fullest stream is reset. */
  readonly unreadLimitBytes: number
  /** Bytes handed to the socket before its answer is awaited. */
  readonly batchLimitBytes: number
  /** Header frames that may wait for the socket; more means the peer floods and does not read. */
  readonly controlQueueLimit: number
  /** Frames without effect (pings, empty frames, opened and reset at once) allowed in a burst. */
  readonly idleFrameBurst: number
  /** How fast that allowance comes back, in frames a second. */
  readonly idleFramesPerSecond: number
  /** A ping is sent this often. */
  readonly pingIntervalMs: number
  /** Nothing received for so long: the link is dead. */
  readonly silenceLimitMs: number
}

// Worst case of one link: unreadLimitBytes plus one chunk of at most 32 KiB handed to each reader; all else is small.
/** The bounds used where a caller names none. */
export const DEFAULT_YAMUX_CONFIG: YamuxConfig = {
  inboundStreamLimit: 1024,
  outboundStreamLimit: 1024,
  backlogLimit: 256,
  windowLimitBytes: 16 * INITIAL_WINDOW_BYTES,
  windowGrowthLimitBytes: 64 * INITIAL_WINDOW_BYTES,
  unreadLimitBytes: 64 * 1024 * 1024,
  batchLimitBytes: 128 * 1024,
  controlQueueLimit: 8192,
  idleFrameBurst: 2000,
  idleFramesPerSecond: 200,
  pingIntervalMs: 10_000,
  silenceLimitMs: 20_000,
}
