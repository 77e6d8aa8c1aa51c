/** Memory of a process as its own kernel counts it, in bytes. */
export interface MemoryReport {
  readonly rssBytes: number
  /** The largest since the last report. */
  readonly peakBytes: number
  /** What is in use: objects, and buffers outside the heap; without garbage where that was asked for. */
  readonly heldBytes: number
}

/** What a report is asked with; collecting garbage holds a large process up. */
export interface ReportQuestion {
  readonly collects: boolean
}

/** Watches this process's memory, 100 times a second; each report begins a new peak. */
export function watchMemory(): (question: ReportQuestion) => MemoryReport {
  const rss = () => process.memoryUsage.rss()
  let peakBytes = rss()
  setInterval(() => {
    peakBytes = Math.max(peakBytes, rss())
  }, 10).unref()
  return ({ collects }) => {
    // Twice: buffers are freed by what the first collection has found.
    for (let round = 0; collects && round < 2; round += 1) global.gc?.()
    const { rss: rssBytes, heapUsed, external } = process.memoryUsage()
    const heldBytes = heapUsed + external
    const report = { rssBytes, peakBytes: Math.max(peakBytes, rssBytes), heldBytes }
    peakBytes = rssBytes
    return report
  }
}
