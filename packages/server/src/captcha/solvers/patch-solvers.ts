import { at, correlate, type Grey, slopes, smooth } from './grey.ts'
import type { Puzzle } from './puzzle.ts'

// What is written for any captcha: the label's px, or its edges, are laid over every place in several turns.

const turns = [-0.4, 0, 0.4]

/** Px between points that are compared. */
const step = 4

/** What a solver looks at of a picture. */
const fields = {
  template: (picture: Grey) => smooth(picture, picture.light, 1),
  edges(picture: Grey) {
    const slope = slopes(picture)
    const strength = slope.x.map((x, index) => Math.hypot(x, slope.y[index] ?? 0))
    return smooth(picture, strength, 1)
  },
} satisfies Record<string, (picture: Grey) => Float32Array>

/** Name of a solver that knows nothing of how the pictures are drawn. */
export type PatchSolver = keyof typeof fields

/** How well each label fits at each spot; the sign of a likeness says nothing where light and dark change places. */
export function comparePatches({ picture, labels, spots, size }: Puzzle, name: PatchSolver) {
  const field = fields[name](picture)
  const reach = Math.round(size * 0.45)
  const points: { x: number; y: number }[] = []
  for (let y = -reach; y <= reach; y += step) {
    for (let x = -reach; x <= reach; x += step) points.push({ x, y })
  }
  const under = spots.map(spot =>
    points.map(point => at(picture, field, spot.x + point.x, spot.y + point.y)),
  )
  return labels.map(label => {
    const own = fields[name](label.picture)
    const scale = label.size / size
    const middle = label.picture.width / 2
    const patches = turns.map(turn => {
      const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale]
      return points.map(({ x, y }) =>
        at(label.picture, own, middle + x * cos - y * sin, middle + x * sin + y * cos),
      )
    })
    return under.map(values =>
      Math.max(...patches.map(patch => Math.abs(correlate(patch, values)))),
    )
  })
}
