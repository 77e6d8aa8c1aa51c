import type { Drawn } from '../drawing/artist.ts'
import { at, correlate, type Grey, readGrey, slopes } from './grey.ts'

type DiscData = Extract<Drawn, { kind: 'rotate' }>['data']

const degrees = Array.from({ length: 360 }, (_, degree) => degree)

/** One value for each degree, read along the radii around a middle. */
function ring(picture: Grey, field: Float32Array, radii: readonly number[]): number[] {
  const middle = { x: (picture.width - 1) / 2, y: (picture.height - 1) / 2 }
  return degrees.map(degree => {
    const angle = (degree * Math.PI) / 180
    const values = radii.map(radius =>
      at(picture, field, middle.x + radius * Math.cos(angle), middle.y + radius * Math.sin(angle)),
    )
    return values.reduce((sum, value) => sum + value, 0) / values.length
  })
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

const strengthOf = (picture: Grey) => {
  const slope = slopes(picture)
  return slope.x.map((value, index) => Math.hypot(value, slope.y[index] ?? 0))
}

type Rings = (rim: Grey, middle: Grey) => [rim: number[], middle: number[]]

/** Brute force over the angles: what the ring around the middle and the middle's own rim have in common. */
export const discSolvers = {
  brightness: (rim, middle) => [ring(rim, rim.light, [77]), ring(middle, middle.light, [72])],
  shade: (rim, middle) => [
    ring(rim, rim.light, range(77, 92)),
    ring(middle, middle.light, range(58, 72)),
  ],
  edges: (rim, middle) => [
    ring(rim, strengthOf(rim), range(78, 88)),
    ring(middle, strengthOf(middle), range(60, 71)),
  ],
  /** Written for these pictures: where the strokes lie along the main direction and where across it. */
  direction: (rim, middle) => [acrossOf(rim, range(79, 100)), acrossOf(middle, range(48, 71))],
} satisfies Record<string, Rings>

function acrossOf(picture: Grey, radii: readonly number[]): number[] {
  const slope = slopes(picture)
  const real = slope.x.map((x, index) => x * x - (slope.y[index] ?? 0) ** 2)
  const imaginary = slope.x.map((x, index) => 2 * x * (slope.y[index] ?? 0))
  const [x, y] = [ring(picture, real, radii), ring(picture, imaginary, radii)]
  const main = [x, y].map(list => list.reduce((sum, value) => sum + value, 0)) as [number, number]
  const values = degrees.map(degree => -((x[degree] ?? 0) * main[0] + (y[degree] ?? 0) * main[1]))
  // A few degrees together: single strokes say little.
  return degrees.map(degree =>
    range(-5, 5).reduce((sum, shift) => sum + (values[(degree + shift + 360) % 360] ?? 0), 0),
  )
}

/** What a solver answers. */
export async function solveDisc(data: DiscData, name: keyof typeof discSolvers): Promise<number> {
  const [rim, middle] = discSolvers[name](await readGrey(data.image), await readGrey(data.thumb))
  let best = { angle: 0, score: Number.NEGATIVE_INFINITY }
  for (let angle = data.angle; angle < 360; angle += 1) {
    const turned = degrees.map(degree => middle[(degree - angle + 720) % 360] ?? 0)
    const score = correlate(rim, turned)
    if (score > best.score) best = { angle, score }
  }
  return best.angle
}
