import type { FontFamily } from './glyphs.ts'
import type { Hand, Wave } from './hands.ts'
import { createLookalikes } from './lookalikes.ts'
import { type Context, createPicture } from './picture.ts'
import { between, type Random } from './random.ts'
import { createStencils, type Stencil, stencilSide, stencilSize } from './stencils.ts'

/** A character to draw: its middle and its size in px. */
export interface Character {
  text: string
  font: FontFamily
  x: number
  y: number
  size: number
}

/** Draws characters in uneven hands. */
export interface Pen {
  /** The middle of what is seen of the character comes to its place. */
  draw(context: Context, character: Character, hand: Hand): void
  /** The characters most like another, the nearest first. */
  lookalikesOf(text: string): string[]
}

/** Side of the square that a character is drawn in before it is laid into the picture, in px. */
const deskSide = 72

// A name of this module's own: it is read for every px.
const side = stencilSide

/** Makes a pen; it is worth keeping, for what it draws a second time is quick. */
export function createPen(random: Random): Pen {
  const stencilOf = createStencils()
  const desk = createPicture(deskSide, deskSide).getContext('2d')
  const image = desk.createImageData(deskSide, deskSide)
  return {
    lookalikesOf: createLookalikes(stencilOf),
    draw(context, { text, font, x, y, size }, hand) {
      const toStencil = bendBack(random, hand, size)
      const middle = paint(image.data, stencilOf(text, font), toStencil, createTones(random))
      desk.putImageData(image, 0, 0)
      context.drawImage(desk.canvas, x - middle.x, y - middle.y)
    },
  }
}

/** From a px of the desk to the place of the stencil that is seen there. */
type Way = (x: number, y: number, out: Float64Array) => void

/** A character is turned, slanted, squeezed, and then bent in waves: each part keeps its form and leaves its place. */
function bendBack(random: Random, hand: Hand, size: number): Way {
  const turn = between(random, -hand.turn, hand.turn)
  const stretch = () => (1 + between(random, -hand.squeeze, hand.squeeze)) * (size / stencilSize)
  const [right, down] = [stretch(), stretch()]
  const slant = () => between(random, -hand.slant, hand.slant) * (size / stencilSize)
  const [across, along] = [slant(), slant()]
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const [a, b] = [cos * right - sin * along, sin * right + cos * along]
  const [c, d] = [cos * across - sin * down, sin * across + cos * down]
  const area = a * d - b * c
  const [rows, columns] = [layWave(random, hand.wave, size), layWave(random, hand.wave, size)]
  return (x, y, out) => {
    const row = y + (columns[x] ?? 0)
    const offX =
      x + (rows[Math.min(Math.max(Math.round(row), 0), deskSide - 1)] ?? 0) - deskSide / 2
    const offY = row - deskSide / 2
    out[0] = (d * offX - c * offY) / area + side / 2
    out[1] = (a * offY - b * offX) / area + side / 2
  }
}

// Px that each line is moved by.
function layWave(random: Random, { height, length }: Wave, size: number): Float64Array {
  const phase = between(random, 0, Math.PI * 2)
  const pixels = between(random, ...length) * size
  const most = between(random, ...height) * size
  return Float64Array.from(
    { length: deskSide },
    (_, at) => most * Math.sin(phase + (at * Math.PI * 2) / pixels),
  )
}

type Colour = readonly [red: number, green: number, blue: number]

/** Colours of strokes and of the outline around them at a place of the stencil. */
type Tones = (x: number, y: number) => { inside: Colour; outside: Colour }

/**
 * Two opposite tones that change places along the character: its strokes are dark on light here and light on dark there, which
 * an eye hardly notices, and of which a stencil of one tone sees nothing.
 */
function createTones(random: Random): Tones {
  const angle = between(random, 0, Math.PI * 2)
  const [cos, sin] = [Math.cos(angle) / stencilSize, Math.sin(angle) / stencilSize]
  const hue = between(random, 0, Math.PI * 2)
  const shadeOf = (light: number, spread: number): Colour => [
    light + spread * Math.cos(hue),
    light + spread * Math.cos(hue - (Math.PI * 2) / 3),
    light + spread * Math.cos(hue + (Math.PI * 2) / 3),
  ]
  const [light, dark] = [shadeOf(228, 16), shadeOf(41, 24)]
  const plain = { inside: dark, outside: light }
  const turned = { inside: light, outside: dark }
  const [first, second] = random() < 0.5 ? [plain, turned] : [turned, plain]
  const [one = 0, two = 0, three = 0] = [0.16, 0.42, 0.68].map(
    from => from + between(random, 0, 0.14),
  )
  return (x, y) => {
    const share = 0.5 + (x - side / 2) * cos + (y - side / 2) * sin
    return share < one || (share >= two && share < three) ? first : second
  }
}

/** Paints a character on a clear desk; answers the middle of what is seen. */
function paint(
  data: Uint8ClampedArray,
  { inside, whole }: Stencil,
  toStencil: Way,
  tones: Tones,
): { x: number; y: number } {
  data.fill(0)
  const place = new Float64Array(2)
  let [left, right, top, bottom] = [deskSide, 0, deskSide, 0]
  for (let y = 0; y < deskSide; y += 1) {
    for (let x = 0; x < deskSide; x += 1) {
      toStencil(x, y, place)
      const column = place[0] as number
      const row = place[1] as number
      const cover = sample(whole, column, row)
      if (cover < 1) continue
      const colours = tones(column, row)
      const share = Math.min(sample(inside, column, row) / cover, 1)
      const at = (y * deskSide + x) * 4
      for (let part = 0; part < 3; part += 1) {
        const outside = colours.outside[part] as number
        data[at + part] = outside + ((colours.inside[part] as number) - outside) * share
      }
      data[at + 3] = cover
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  }
  return { x: (left + right + 1) / 2, y: (top + bottom + 1) / 2 }
}

// Between four px.
function sample(mask: Uint8Array, x: number, y: number): number {
  const column = Math.floor(x)
  const row = Math.floor(y)
  if (column < 0 || row < 0 || column >= side - 1 || row >= side - 1) return 0
  const shareX = x - column
  const shareY = y - row
  const at = row * side + column
  const above = (mask[at] as number) * (1 - shareX) + (mask[at + 1] as number) * shareX
  const below =
    (mask[at + side] as number) * (1 - shareX) + (mask[at + side + 1] as number) * shareX
  return above * (1 - shareY) + below * shareY
}
