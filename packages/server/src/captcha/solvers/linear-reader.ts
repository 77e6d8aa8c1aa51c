/** Reads by what it has seen: the mean of each class, and one spread for all (linear discriminant analysis). */
export interface LinearReader {
  /** How likely a class is, as a logarithm, without what all classes share. */
  score(features: Float32Array, label: number): number
}

/** What a reader learns from. */
export interface Sample {
  label: number
  features: Float32Array
}

/** Learns; the spread is drawn towards a plain one by `ridge`, a share of its mean. */
export function learn(samples: readonly Sample[], labelCount: number, ridge = 0.1): LinearReader {
  const size = samples[0]?.features.length ?? 0
  const counts = new Float64Array(labelCount)
  const means = Array.from({ length: labelCount }, () => new Float64Array(size))
  const whole = new Float64Array(size)
  for (const { label, features } of samples) {
    counts[label] = (counts[label] ?? 0) + 1
    const mean = means[label] as Float64Array
    for (let i = 0; i < size; i += 1) {
      mean[i] = (mean[i] ?? 0) + (features[i] ?? 0)
      whole[i] = (whole[i] ?? 0) + (features[i] ?? 0) / samples.length
    }
  }
  means.forEach((mean, label) => {
    const count = counts[label] ?? 0
    // A few samples more of the mean of all: what was seldom seen is not trusted far.
    for (let i = 0; i < size; i += 1)
      mean[i] = ((mean[i] ?? 0) + 2 * (whole[i] ?? 0)) / (count + 2) - (whole[i] ?? 0)
  })
  const spread = new Float64Array(size * size)
  const off = new Float64Array(size)
  for (const { label, features } of samples) {
    const mean = means[label] as Float64Array
    for (let i = 0; i < size; i += 1) off[i] = (features[i] ?? 0) - (whole[i] ?? 0) - (mean[i] ?? 0)
    for (let i = 0; i < size; i += 1) {
      const value = (off[i] ?? 0) / samples.length
      const row = i * size
      for (let j = 0; j <= i; j += 1)
        spread[row + j] = (spread[row + j] as number) + value * (off[j] as number)
    }
  }
  let trace = 0
  for (let i = 0; i < size; i += 1) trace += spread[i * size + i] ?? 0
  for (let i = 0; i < size; i += 1)
    spread[i * size + i] = (spread[i * size + i] as number) + (ridge * trace) / size
  factorize(spread, size)
  const weights = means.map(mean => solve(spread, size, mean))
  const offsets = means.map((mean, label) => {
    const weight = weights[label] as Float64Array
    let own = 0
    let shared = 0
    for (let i = 0; i < size; i += 1) {
      own += (mean[i] as number) * (weight[i] as number)
      shared += (whole[i] as number) * (weight[i] as number)
    }
    return -own / 2 - shared
  })
  return {
    score(features, label) {
      const weight = weights[label] as Float64Array
      let sum = offsets[label] ?? 0
      for (let i = 0; i < size; i += 1) sum += (features[i] as number) * (weight[i] as number)
      return sum
    },
  }
}

/** Cholesky's factor of a matrix, in place of its lower half. */
function factorize(matrix: Float64Array, size: number): void {
  for (let j = 0; j < size; j += 1) {
    for (let i = j; i < size; i += 1) {
      let sum = matrix[i * size + j] as number
      for (let k = 0; k < j; k += 1)
        sum -= (matrix[i * size + k] as number) * (matrix[j * size + k] as number)
      matrix[i * size + j] = i === j ? Math.sqrt(sum) : sum / (matrix[j * size + j] as number)
    }
  }
}

function solve(factor: Float64Array, size: number, right: Float64Array): Float64Array {
  const out = Float64Array.from(right)
  for (let i = 0; i < size; i += 1) {
    let sum = out[i] as number
    for (let k = 0; k < i; k += 1) sum -= (factor[i * size + k] as number) * (out[k] as number)
    out[i] = sum / (factor[i * size + i] as number)
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = out[i] as number
    for (let k = i + 1; k < size; k += 1)
      sum -= (factor[k * size + i] as number) * (out[k] as number)
    out[i] = sum / (factor[i * size + i] as number)
  }
  return out
}
