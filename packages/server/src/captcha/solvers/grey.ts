import { createCanvas, loadImage } from '@napi-rs/canvas'

/** A picture as a program sees it: brightness 0 to 255 and cover 0 to 1 for each px, row by row. */
export interface Grey {
  width: number
  height: number
  light: Float32Array
  cover: Float32Array
}

/** Reads a `data:` address. */
export async function readGrey(address: string): Promise<Grey> {
  const image = await loadImage(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'))
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  return toGrey(context.getImageData(0, 0, image.width, image.height))
}

/** Brightness by ITU-R BT.601. */
export function toGrey(pixels: { width: number; height: number; data: Uint8ClampedArray }): Grey {
  const { width, height, data } = pixels
  const light = new Float32Array(width * height)
  const cover = new Float32Array(width * height)
  for (let index = 0; index < light.length; index += 1) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index * 4, index * 4 + 4)
    light[index] = 0.299 * red + 0.587 * green + 0.114 * blue
    cover[index] = alpha / 255
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
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let row = 0; row < height; row += 1) {
    let line = 0
    for (let column = 0; column < width; column += 1) {
      line += field[row * width + column] ?? 0
      sums[(row + 1) * (width + 1) + column + 1] =
        (sums[row * (width + 1) + column + 1] ?? 0) + line
    }
  }
  const out = new Float32Array(field.length)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [left, right] = [Math.max(column - reach, 0), Math.min(column + reach + 1, width)]
      const [top, bottom] = [Math.max(row - reach, 0), Math.min(row + reach + 1, height)]
      const sum =
        (sums[bottom * (width + 1) + right] ?? 0) -
        (sums[top * (width + 1) + right] ?? 0) -
        (sums[bottom * (width + 1) + left] ?? 0) +
        (sums[top * (width + 1) + left] ?? 0)
      out[row * width + column] = sum / ((right - left) * (bottom - top))
    }
  }
  return out
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
