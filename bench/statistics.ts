/** The middle of some values, the mean of the middle two where their number is even; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** How two series of the same rounds compare. */
export interface Ratio {
  /** Median by median. */
  readonly value: number
  /** The lowest and the highest of single rounds. */
  readonly lowest: number
  readonly highest: number
}

/** Compares series, one value a round; nothing where either is empty. */
export function compare(ours: readonly number[], theirs: readonly number[]): Ratio | undefined {
  if (ours.length === 0 || theirs.length === 0) return undefined
  const rounds = ours.slice(0, theirs.length).map((value, at) => value / (theirs[at] ?? Number.NaN))
  return {
    value: median(ours) / median(theirs),
    lowest: Math.min(...rounds),
    highest: Math.max(...rounds),
  }
}
