/** How a flow ended. */
export type FlowEnd = 'done' | 'visitor_gone' | 'target_gone' | 'timed_out' | 'refused'

/** The one line that is kept of a flow: a request, or a connection that was joined. */
export interface FlowRecord {
  readonly flow: string
  /** Bytes from the visitor to the target and back, heads included. */
  readonly bytesUp: number
  readonly bytesDown: number
  readonly durationMs: number
  readonly end: FlowEnd
}
