import { createEasel, drawField, type Easel, type Place, type Sizes, type Tools } from './field.ts'
import { labelHand } from './hands.ts'
import { type Context, createPicture, toJpegAddress, toPngAddress } from './picture.ts'
import { between, integerBetween } from './random.ts'

/** Diameter of the picture in px, as the widget shows it (client.md section 9). */
export const discSize = 220

/** Diameter of the part that turns, in px. */
export const turningSize = 124

/** Characters of the rim, and those of the middle; one of them is the same. */
const rimCount = 12
const middleCount = 2

/** Distance from the middle to characters of the rim, and to those of the disc, in px. */
const rimReach = 85
const middleReach = 32

/** Sizes of the characters of the rim, and of those of the disc, in px. */
const rimSizes: Sizes = [37, 40]
const middleCharacterSize = 42

/** Degrees that characters of the disc stand beside even distances at most. */
const middleSlack = 15

/** The start leaves at least this many degrees to turn, so that doing nothing never fits. */
const leastTurn = 30

/** A picture whose middle is turned. */
export interface DrawnDisc {
  data: { image: string; thumb: string; angle: number; thumbSize: number }
  /** Degrees of the widget at which both fit. */
  answer: { angle: number }
}

/** Draws a `rotate`: characters around, others on the disc; one of the disc is one of those around, and belongs beside it. */
export function drawDisc(tools: Tools): DrawnDisc {
  const { random } = tools
  const easel = createEasel(tools, { asked: middleCount, others: rimCount - 1, likeEach: 0 })
  // The widget turns its picture clockwise by `angle`; it fits when what is drawn turned back points at its like.
  const start = integerBetween(random, 0, 60)
  const answer = integerBetween(random, start + leastTurn, 359 - leastTurn / 2)
  const first = between(random, 0, 360)
  const rimAngles = Array.from(
    { length: rimCount },
    (_, index) => first + (360 / rimCount) * index + between(random, -3, 3),
  )
  const rim = createPicture(discSize, discSize)
  const texts = [...easel.asked.slice(0, 1), ...easel.others]
  const around = rimAngles.map((angle, index) => ({
    text: texts[index] ?? '',
    ...placeOn(discSize, rimReach, angle),
  }))
  drawField(rim.getContext('2d'), easel, around, rimSizes)
  const angle = (rimAngles[0] ?? 0) - answer
  return {
    data: {
      image: toJpegAddress(rim),
      thumb: drawMiddle(easel, { angle, start }),
      angle: start,
      thumbSize: turningSize,
    },
    answer: { angle: answer },
  }
}

// The labels from `angle` on at about even distances, upright when the widget begins.
function drawMiddle(
  { random, grain, pen, labelFont, asked }: Easel,
  { angle, start }: { angle: number; start: number },
): string {
  const middle = createPicture(turningSize, turningSize)
  const context = middle.getContext('2d')
  context.beginPath()
  context.arc(turningSize / 2, turningSize / 2, turningSize / 2 - 1, 0, Math.PI * 2)
  context.clip()
  grain.fill(context, between(random, 0, Math.PI))
  asked.forEach((text, index) => {
    const unevenness = index === 0 ? 0 : between(random, -middleSlack, middleSlack)
    const own = angle + (index * 360) / asked.length + unevenness
    drawPointer(context, own)
    const { x, y } = placeOn(turningSize, middleReach, own)
    context.save()
    context.translate(x, y)
    context.rotate((-start * Math.PI) / 180)
    pen.draw(context, { text, font: labelFont, x: 0, y: 0, size: middleCharacterSize }, labelHand)
    context.restore()
  })
  context.beginPath()
  context.arc(turningSize / 2, turningSize / 2, turningSize / 2 - 2, 0, Math.PI * 2)
  context.lineWidth = 3
  context.strokeStyle = '#fff'
  context.stroke()
  return toPngAddress(middle)
}

function placeOn(side: number, reach: number, degrees: number): Place {
  const angle = (degrees * Math.PI) / 180
  return { x: side / 2 + reach * Math.cos(angle), y: side / 2 + reach * Math.sin(angle) }
}

function drawPointer(context: Context, degrees: number): void {
  const reach = turningSize / 2 - 2
  context.save()
  context.translate(turningSize / 2, turningSize / 2)
  context.rotate((degrees * Math.PI) / 180)
  context.beginPath()
  context.moveTo(reach, 0)
  context.lineTo(reach - 10, -8)
  context.lineTo(reach - 10, 8)
  context.closePath()
  context.fillStyle = '#fff'
  context.strokeStyle = '#000'
  context.lineWidth = 2
  context.stroke()
  context.fill()
  context.restore()
}
