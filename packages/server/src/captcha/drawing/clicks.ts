import { fontFamilies, glyphs } from './glyphs.ts'
import type { Grain } from './grain.ts'
import {
  type Context,
  createPicture,
  pictureHeight,
  pictureWidth,
  scratch,
  shade,
  toJpegAddress,
} from './picture.ts'
import { between, choose, integerBetween, type Random } from './random.ts'

/** Size of the small picture in px (client.md section 9). */
export const clickThumbWidth = 150
/** Height of the small picture in px. */
export const clickThumbHeight = 40

/** Characters to click, and those that stand beside them in the picture. */
const askedCount = 3
const otherCount = 4

/** Turn of a character in the large picture at most, in radians. */
const mostTurn = 0.7

interface Glyph {
  text: string
  x: number
  y: number
  size: number
}

/** Characters to click in the order of the small picture. */
export interface DrawnClicks {
  data: { image: string; thumb: string }
  /** Middles of the characters in their order. */
  answer: { x: number; y: number }[]
}

/** Draws a `click`. */
export function drawClicks(random: Random, grain: Grain): DrawnClicks {
  const picture = createPicture(pictureWidth, pictureHeight)
  const context = picture.getContext('2d')
  grain.fill(context, between(random, 0, Math.PI))
  shade(context, random, pictureWidth, pictureHeight)
  const all = choose(random, glyphs, askedCount + otherCount)
  const placed = placeGlyphs(random, all)
  const [font = fontFamilies[0], other = fontFamilies[1]] = choose(random, fontFamilies, 2)
  for (const glyph of placed) drawGlyph(context, random, glyph, font)
  scratch(context, random, pictureWidth, pictureHeight, 9)
  const asked = placed.slice(0, askedCount)
  return {
    data: { image: toJpegAddress(picture), thumb: drawThumb(random, grain, asked, other) },
    answer: asked.map(({ x, y }) => ({ x, y })),
  }
}

// Cells of a 4 x 2 grid, moved about inside: never on top of one another.
function placeGlyphs(random: Random, texts: readonly string[]): Glyph[] {
  const columns = 4
  const width = pictureWidth / columns
  const height = pictureHeight / 2
  const cells = choose(
    random,
    Array.from({ length: columns * 2 }, (_, index) => index),
    texts.length,
  )
  return texts.map((text, index) => {
    const cell = cells[index] ?? 0
    const size = integerBetween(random, 38, 50)
    return {
      text,
      size,
      x: Math.round((cell % columns) * width + width / 2 + between(random, -9, 9)),
      y: Math.round(Math.floor(cell / columns) * height + height / 2 + between(random, -24, 24)),
    }
  })
}

function drawGlyph(context: Context, random: Random, glyph: Glyph, font: string): void {
  context.save()
  context.translate(glyph.x, glyph.y)
  context.rotate(between(random, -mostTurn, mostTurn))
  // Sheared and squeezed, so that no upright stencil of the same font covers it.
  context.transform(
    between(random, 0.85, 1.15),
    between(random, -0.25, 0.25),
    between(random, -0.25, 0.25),
    between(random, 0.85, 1.15),
    0,
    0,
  )
  context.font = `${glyph.size}px "${font}"`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const isLight = random() < 0.5
  const hue = between(random, 0, 360)
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = `hsl(${hue} 60% ${isLight ? 15 : 92}%)`
  context.fillStyle = `hsl(${hue} 60% ${isLight ? 85 : 20}%)`
  context.strokeText(glyph.text, 0, 0)
  context.fillText(glyph.text, 0, 0)
  context.restore()
}

function drawThumb(random: Random, grain: Grain, asked: readonly Glyph[], font: string): string {
  const thumb = createPicture(clickThumbWidth, clickThumbHeight)
  const context = thumb.getContext('2d')
  context.globalAlpha = 0.35
  context.fillStyle = '#fff'
  grain.fill(context, between(random, 0, Math.PI))
  context.fillRect(0, 0, clickThumbWidth, clickThumbHeight)
  context.globalAlpha = 1
  asked.forEach(({ text }, index) => {
    context.save()
    context.translate(
      (clickThumbWidth / askedCount) * (index + 0.5) + between(random, -6, 6),
      clickThumbHeight / 2 + between(random, -2, 2),
    )
    context.rotate(between(random, -0.3, 0.3))
    context.font = `${integerBetween(random, 27, 32)}px "${font}"`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.lineWidth = 3
    context.strokeStyle = '#fff'
    context.strokeText(text, 0, 0)
    context.fillStyle = `hsl(${between(random, 0, 360)} 50% 25%)`
    context.fillText(text, 0, 0)
    context.restore()
  })
  return toJpegAddress(thumb)
}
