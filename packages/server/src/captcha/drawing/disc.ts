import type { Grain } from './grain.ts'
import {
  type Context,
  createPicture,
  scratch,
  shade,
  toJpegAddress,
  toPngAddress,
} from './picture.ts'
import { between, integerBetween, type Random } from './random.ts'

/** Diameter of the picture in px, as the widget shows it (client.md section 9). */
export const discSize = 220

/** Diameter of the part that turns, in px. */
export const turningSize = 150

/** The start leaves at least this many degrees to turn, so that doing nothing never fits. */
const leastTurn = 30

/** A picture whose middle is turned. */
export interface DrawnDisc {
  data: { image: string; thumb: string; angle: number; thumbSize: number }
  /** Degrees of the widget at which both fit. */
  answer: { angle: number }
}

/** Draws a `rotate`: bands of another direction run from the rim into the middle, whose strokes are none of the rim's. */
export function drawDisc(random: Random, grain: Grain): DrawnDisc {
  const direction = between(random, 0, Math.PI)
  const bands = placeBands(random)
  // The widget turns its picture clockwise by `angle`; it fits when what is drawn turned back comes upright.
  const start = integerBetween(random, 0, 60)
  const answer = integerBetween(random, start + leastTurn, 359 - leastTurn / 2)

  const rim = createPicture(discSize, discSize)
  const context = rim.getContext('2d')
  drawBands(context, grain, { direction, bands, turn: 0 })
  shade(context, random, discSize, discSize)
  scratch(context, random, discSize, discSize)

  const middle = createPicture(turningSize, turningSize)
  const inner = middle.getContext('2d')
  inner.beginPath()
  inner.arc(turningSize / 2, turningSize / 2, turningSize / 2 - 1, 0, Math.PI * 2)
  inner.clip()
  drawBands(inner, grain, { direction, bands, turn: (-answer * Math.PI) / 180 })
  shade(inner, random, turningSize, turningSize)
  scratch(inner, random, turningSize, turningSize)
  return {
    data: {
      image: toJpegAddress(rim),
      thumb: toPngAddress(middle),
      angle: start,
      thumbSize: turningSize,
    },
    answer: { angle: answer },
  }
}

interface Band {
  angle: number
  width: number
}

// Four bands at uneven distances: only one turn lays all of them together.
function placeBands(random: Random): Band[] {
  const gaps = Array.from({ length: 4 }, () => between(random, 0.6, 1.5))
  const sum = gaps.reduce((total, gap) => total + gap, 0)
  let angle = between(random, 0, Math.PI * 2)
  return gaps.map(gap => {
    angle += (gap / sum) * Math.PI * 2
    return { angle, width: between(random, 0.45, 0.7) }
  })
}

function drawBands(
  context: Context,
  grain: Grain,
  { direction, bands, turn }: { direction: number; bands: readonly Band[]; turn: number },
): void {
  const { width, height } = context.canvas
  grain.fill(context, direction + turn)
  context.save()
  context.beginPath()
  for (const band of bands) {
    const reach = width
    context.moveTo(width / 2, height / 2)
    for (const side of [-0.5, 0.5]) {
      const angle = band.angle + turn + side * band.width
      context.lineTo(width / 2 + reach * Math.cos(angle), height / 2 + reach * Math.sin(angle))
    }
    context.closePath()
  }
  context.clip()
  grain.fill(context, direction + turn + Math.PI / 2)
  context.restore()
}
