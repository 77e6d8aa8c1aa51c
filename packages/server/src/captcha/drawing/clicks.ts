import { createEasel, drawField, type Easel, type Place, type Sizes, type Tools } from './field.ts'
import { thumbHand } from './hands.ts'
import { createPicture, pictureHeight, pictureWidth, toJpegAddress } from './picture.ts'
import { between, choose } from './random.ts'

/** Size of the small picture in px (client.md section 9). */
export const clickThumbWidth = 150
/** Height of the small picture in px. */
export const clickThumbHeight = 40

/** Characters to click, and those that stand beside them in the picture. */
const askedCount = 3
const otherCount = 6

/** Sizes of characters in the picture, and in the small picture, in px. */
const sizes: Sizes = [44, 48]
const thumbSize = 35

/** Characters to click in the order of the small picture. */
export interface DrawnClicks {
  data: { image: string; thumb: string }
  /** Middles of the characters in their order. */
  answer: Place[]
}

/** Draws a `click`. */
export function drawClicks(tools: Tools): DrawnClicks {
  const easel = createEasel(tools, { asked: askedCount, others: otherCount, likeEach: 1 })
  const characters = placeCharacters(easel)
  const picture = createPicture(pictureWidth, pictureHeight)
  drawField(picture.getContext('2d'), easel, characters, sizes)
  const asked = characters.slice(0, askedCount)
  return {
    data: { image: toJpegAddress(picture), thumb: drawThumb(easel, asked) },
    answer: asked.map(({ x, y }) => ({ x, y })),
  }
}

// Cells of a 5 x 2 grid, moved about inside: never on top of one another.
function placeCharacters({ random, asked, others }: Easel) {
  const texts = [...asked, ...others]
  const columns = 5
  const width = pictureWidth / columns
  const height = pictureHeight / 2
  const cells = choose(
    random,
    Array.from({ length: columns * 2 }, (_, index) => index),
    texts.length,
  )
  return texts.map((text, index) => {
    const cell = cells[index] ?? 0
    return {
      text,
      x: Math.round((cell % columns) * width + width / 2 + between(random, -5, 5)),
      y: Math.round(Math.floor(cell / columns) * height + height / 2 + between(random, -24, 24)),
    }
  })
}

function drawThumb(
  { random, grain, pen, labelFont }: Easel,
  asked: readonly { text: string }[],
): string {
  const thumb = createPicture(clickThumbWidth, clickThumbHeight)
  const context = thumb.getContext('2d')
  grain.fill(context, between(random, 0, Math.PI))
  // A veil: what is small is read on a quiet ground.
  context.fillStyle = 'rgba(255, 255, 255, 0.35)'
  context.fillRect(0, 0, clickThumbWidth, clickThumbHeight)
  asked.forEach(({ text }, index) => {
    const x = (clickThumbWidth / askedCount) * (index + 0.5) + between(random, -3, 3)
    const middle = { x, y: clickThumbHeight / 2 }
    pen.draw(context, { ...middle, text, font: labelFont, size: thumbSize }, thumbHand)
  })
  return toJpegAddress(thumb)
}
