import { type Grey, slopes, smooth } from './grey.ts'

/** Directions that slopes are sorted into; light on dark and dark on light are one. */
const directionCount = 8

/** Points of a square that are looked at, in a row and in a column. */
const pointsAcross = 9

/** Values of a place. */
export const featureCount = directionCount * pointsAcross ** 2

/** How strongly edges run in each direction around each px. */
export interface EdgeMaps {
  width: number
  height: number
  planes: Float32Array[]
}

/** Sorts the edges of a picture by direction and smooths them, so that a form that moved a little stays alike. */
export function mapEdges(picture: Grey): EdgeMaps {
  const { width, height } = picture
  const slope = slopes({ ...picture, light: smooth(picture, picture.light, 1) })
  const planes = Array.from({ length: directionCount }, () => new Float32Array(width * height))
  const strength = slope.x.map((x, index) => Math.hypot(x, slope.y[index] ?? 0))
  const around = smooth(picture, strength, 16)
  for (let index = 0; index < strength.length; index += 1) {
    const size = (strength[index] ?? 0) / ((around[index] ?? 0) + 8)
    const angle = Math.atan2(slope.y[index] ?? 0, slope.x[index] ?? 0)
    const place = ((angle / Math.PI + 1) % 1) * directionCount
    const low = Math.floor(place) % directionCount
    const share = place - Math.floor(place)
    const value = size
    const high = (low + 1) % directionCount
    const [a, b] = [planes[low], planes[high]]
    if (a !== undefined) a[index] = value * (1 - share)
    if (b !== undefined) b[index] = value * share
  }
  return {
    width,
    height,
    planes: planes.map(plane => smooth(picture, smooth(picture, plane, 2), 2)),
  }
}

/** The values of a square of `side` px around a place. */
export function featuresAt(
  maps: EdgeMaps,
  x: number,
  y: number,
  side: number,
  out = new Float32Array(featureCount),
): Float32Array {
  const { width, height, planes } = maps
  let at = 0
  for (let row = 0; row < pointsAcross; row += 1) {
    const py = Math.min(
      Math.max(Math.round(y + ((row + 0.5) / pointsAcross - 0.5) * side), 0),
      height - 1,
    )
    for (let column = 0; column < pointsAcross; column += 1) {
      const px = Math.min(
        Math.max(Math.round(x + ((column + 0.5) / pointsAcross - 0.5) * side), 0),
        width - 1,
      )
      const index = py * width + px
      for (const plane of planes) {
        out[at] = Math.sqrt(Math.max(plane[index] ?? 0, 0))
        at += 1
      }
    }
  }
  return out
}
