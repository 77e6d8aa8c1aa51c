/** A picture as a program sees it: brightness 0 to 255 and cover 0 to 1 for each px, row by row. */
export interface Grey {
  width: number
  height: number
  light: Float32Array
  cover: Float32Array
}

/** Brightness by ITU-R BT.601. */
export function toGrey(pixels: { width: number; height: number; data: Uint8ClampedArray }): Grey {
  const { width, height, data } = pixels
  const light = new Float32Array(width * height)
  const cover = new Float32Array(width * height)
  for (let index = 0; index < light.length; index += 1) {
    const from = index * 4
    light[index] =
      0.299 * (data[from] ?? 0) + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0)
    cover[index] = (data[from + 3] ?? 0) / 255
  }
  return { width, height, light, cover }
}

/** The value at a place; the nearest one outside. */
export function at({ width, height }: Grey, field: Float32Array, x: number, y: number): number {
  const column = Math.min(Math.max(Math.round(x), 0), width - 1)
  const row = Math.min(Math.max(Math.round(y), 0), height - 1)
  return field[row * width + column] ?? 0
}

/** Slopes by Sobel's kernels. */
export function slopes(picture: Grey): { x: Float32Array; y: Float32Array } {
  const { width, height, light } = picture
  const x = new Float32Array(light.length)
  const y = new Float32Array(light.length)
  const get = (column: number, row: number) => light[row * width + column] ?? 0
  for (let row = 1; row < height - 1; row += 1) {
    for (let column = 1; column < width - 1; column += 1) {
      const index = row * width + column
      x[index] =
        get(column + 1, row - 1) +
        2 * get(column + 1, row) +
        get(column + 1, row + 1) -
        get(column - 1, row - 1) -
        2 * get(column - 1, row) -
        get(column - 1, row + 1)
      y[index] =
        get(column - 1, row + 1) +
        2 * get(column, row + 1) +
        get(column + 1, row + 1) -
        get(column - 1, row - 1) -
        2 * get(column, row - 1) -
        get(column + 1, row - 1)
    }
  }
  return { x, y }
}

/** A field made smooth: the mean of each square of `2 * reach + 1` px. */
export function smooth(picture: Grey, field: Float32Array, reach: number): Float32Array {
  const { width, height } = picture
  const across = new Float32Array(field.length)
  for (let row = 0; row < height; row += 1) {
    averageLine(field, across, { from: row * width, step: 1, count: width, reach })
  }
  const out = new Float32Array(field.length)
  for (let column = 0; column < width; column += 1) {
    averageLine(across, out, { from: column, step: width, count: height, reach })
  }
  return out
}

interface Line {
  from: number
  step: number
  count: number
  reach: number
}

function averageLine(
  field: Float32Array,
  out: Float32Array,
  { from, step, count, reach }: Line,
): void {
  let sum = 0
  let held = Math.min(reach, count)
  for (let at = 0; at < held; at += 1) sum += field[from + at * step] as number
  for (let at = 0; at < count; at += 1) {
    if (at + reach < count) {
      sum += field[from + (at + reach) * step] as number
      held += 1
    }
    if (at - reach - 1 >= 0) {
      sum -= field[from + (at - reach - 1) * step] as number
      held -= 1
    }
    out[from + at * step] = sum / held
  }
}

/** Pearson's correlation of two lists, -1 to 1. */
export function correlate(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const count = a.length
  let [sumA, sumB] = [0, 0]
  for (let index = 0; index < count; index += 1) {
    sumA += a[index] ?? 0
    sumB += b[index] ?? 0
  }
  const [meanA, meanB] = [sumA / count, sumB / count]
  let [both, ownA, ownB] = [0, 0, 0]
  for (let index = 0; index < count; index += 1) {
    const da = (a[index] ?? 0) - meanA
    const db = (b[index] ?? 0) - meanB
    both += da * db
    ownA += da * da
    ownB += db * db
  }
  return ownA === 0 || ownB === 0 ? 0 : both / Math.sqrt(ownA * ownB)
}
