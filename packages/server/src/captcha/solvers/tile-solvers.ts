import type { Drawn } from '../drawing/artist.ts'
import { correlate, type Grey, readGrey, slopes, smooth } from './grey.ts'

type TileData = Extract<Drawn, { kind: 'slide' }>['data']
type Place = { x: number; y: number }

/** What a solver makes of a place of the tile's square; the highest score is its answer. */
type Score = (picture: Grey, tile: Grey) => (x: number, y: number) => number

/** Px of the tile by what its cover says. */
function partsOf(tile: Grey) {
  const { width, height, cover } = tile
  const inside: Place[] = []
  const outside: Place[] = []
  const rim: Place[] = []
  const isIn = (x: number, y: number) => (cover[y * width + x] ?? 0) > 0.5
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const around = [isIn(x - 1, y), isIn(x + 1, y), isIn(x, y - 1), isIn(x, y + 1)]
      if (!isIn(x, y)) outside.push({ x, y })
      else if (around.every(Boolean)) inside.push({ x, y })
      else rim.push({ x, y })
    }
  }
  return { inside, outside, rim }
}

const meanOf = (
  picture: Grey,
  field: Float32Array,
  places: readonly Place[],
  x: number,
  y: number,
) =>
  places.reduce(
    (sum, place) => sum + (field[(y + place.y) * picture.width + x + place.x] ?? 0),
    0,
  ) / Math.max(places.length, 1)

/** Template matching: where the picture's brightness goes along with the tile's. */
const template: Score = (picture, tile) => {
  const { inside } = partsOf(tile)
  const own = inside.map(({ x, y }) => tile.light[y * tile.width + x] ?? 0)
  return (x, y) =>
    Math.abs(
      correlate(
        own,
        inside.map(place => picture.light[(y + place.y) * picture.width + x + place.x] ?? 0),
      ),
    )
}

/** Edge detection: where the picture's edges run along the tile's outline. */
const edges: Score = (picture, tile) => {
  const slope = slopes(picture)
  const strength = slope.x.map((value, index) => Math.hypot(value, slope.y[index] ?? 0))
  const { rim, inside } = partsOf(tile)
  return (x, y) => meanOf(picture, strength, rim, x, y) - meanOf(picture, strength, inside, x, y)
}

/** Brightness: where the tile's form is darker or lighter than what is around it. */
const brightness: Score = (picture, tile) => {
  const { inside, outside } = partsOf(tile)
  return (x, y) =>
    Math.abs(
      meanOf(picture, picture.light, inside, x, y) - meanOf(picture, picture.light, outside, x, y),
    )
}

/**
 * Written for these pictures: where strokes inside the tile's form run across the direction of all others (the structure
 * tensor). What somebody does who has read how they are drawn.
 */
const direction: Score = (picture, tile) => {
  const slope = slopes(picture)
  const real = slope.x.map((x, index) => x * x - (slope.y[index] ?? 0) ** 2)
  const imaginary = slope.x.map((x, index) => 2 * x * (slope.y[index] ?? 0))
  const sum = (field: Float32Array) => field.reduce((total, value) => total + value, 0)
  const [mainX, mainY] = [sum(real), sum(imaginary)]
  const size = Math.hypot(mainX, mainY)
  const across = real.map(
    (value, index) => -(value * mainX + (imaginary[index] ?? 0) * mainY) / size,
  )
  const strength = real.map((value, index) => Math.hypot(value, imaginary[index] ?? 0))
  const mean = smooth(picture, strength, 6)
  const even = smooth(picture, across, 2).map((value, index) => value / ((mean[index] ?? 0) + 1))
  const { inside, outside } = partsOf(tile)
  return (x, y) => meanOf(picture, even, inside, x, y) - meanOf(picture, even, outside, x, y)
}

/** Solvers of slide and slide_region by name. */
export const tileSolvers = { template, edges, brightness, direction }

/** What a solver answers. */
export async function solveTile(
  kind: 'slide' | 'slide_region',
  data: TileData,
  name: keyof typeof tileSolvers,
): Promise<Place> {
  const picture = await readGrey(data.image)
  const tile = await readGrey(data.thumb)
  const score = tileSolvers[name](picture, tile)
  const best = { x: 0, y: 0, score: Number.NEGATIVE_INFINITY }
  const isRow = kind === 'slide'
  const [top, bottom] = isRow ? [data.thumbY, data.thumbY] : [0, picture.height - tile.height]
  const step = isRow ? 1 : 3
  for (let y = top; y <= bottom; y += step) {
    for (let x = isRow ? tile.width : 0; x <= picture.width - tile.width; x += step) {
      const value = score(x, y)
      if (value > best.score) Object.assign(best, { x, y, score: value })
    }
  }
  return { x: best.x, y: best.y }
}
