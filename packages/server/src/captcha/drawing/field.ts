import type { Pen } from './characters.ts'
import { type FontFamily, fontFamilies, glyphs } from './glyphs.ts'
import type { Grain } from './grain.ts'
import { labelHand, looseHand } from './hands.ts'
import { type Context, createPicture, scratch, shade } from './picture.ts'
import { between, choose, integerBetween, type Random } from './random.ts'

/** A place in a picture, in px. */
export interface Place {
  x: number
  y: number
}

/** What one challenge is drawn with: characters that are all different, those of the picture in another font than those looked for. */
export interface Easel {
  random: Random
  grain: Grain
  pen: Pen
  font: FontFamily
  labelFont: FontFamily
  /** Characters that are looked for. */
  asked: string[]
  /** Those that stand beside them. */
  others: string[]
}

/** What an artist has at hand for every challenge. */
export type Tools = Pick<Easel, 'random' | 'grain' | 'pen'>

/** How many characters a challenge has. */
export interface Cast {
  asked: number
  others: number
  /** Of the others so many look like each of those asked for: whoever reads but half finds them too. */
  likeEach: number
}

/** Sets up for a challenge. */
export function createEasel(tools: Tools, cast: Cast): Easel {
  const { random, pen } = tools
  const [font = fontFamilies[0], labelFont = fontFamilies[1]] = choose(random, fontFamilies, 2)
  const asked = choose(random, glyphs, cast.asked)
  const others = new Set(
    asked.flatMap(text => {
      const like = pen.lookalikesOf(text).filter(other => !asked.includes(other))
      return choose(random, like, cast.likeEach)
    }),
  )
  while (others.size < cast.others) {
    for (const text of choose(random, glyphs, 1)) if (!asked.includes(text)) others.add(text)
  }
  return { ...tools, font, labelFont, asked, others: choose(random, [...others], cast.others) }
}

/** Sizes of the characters of a picture, in px. */
export type Sizes = readonly [number, number]

/** Lays a ground of strokes, a character at each place, and lines across them. */
export function drawField(
  context: Context,
  { random, grain, pen, font }: Easel,
  characters: readonly (Place & { text: string })[],
  sizes: Sizes,
): void {
  const { width, height } = context.canvas
  grain.fill(context, between(random, 0, Math.PI))
  shade(context, random, width, height)
  for (const character of characters) {
    pen.draw(context, { ...character, font, size: integerBetween(random, ...sizes) }, looseHand)
  }
  scratch(context, random, width, height, lineCount)
}

/** Lines that lead nowhere across a picture. */
const lineCount = 9

/** A box with the character that is looked for, as a part of a tile. */
export function drawLabel(
  context: Context,
  { random, grain, pen, labelFont }: Easel,
  text: string,
  box: Place & { width: number; height: number },
): void {
  const label = createPicture(box.width, box.height)
  const own = label.getContext('2d')
  grain.fill(own, between(random, 0, Math.PI))
  const middle = { x: box.width / 2, y: box.height / 2 }
  pen.draw(own, { ...middle, text, font: labelFont, size: box.height - labelMargin }, labelHand)
  own.lineWidth = 4
  own.strokeStyle = '#fff'
  own.strokeRect(0, 0, box.width, box.height)
  context.drawImage(label, box.x, box.y)
}

/** Px of a label's box that its character leaves free. */
const labelMargin = 6
