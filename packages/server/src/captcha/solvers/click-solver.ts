import type { Drawn } from '../drawing/artist.ts'
import { fontFamilies, glyphs } from '../drawing/glyphs.ts'
import { createPicture } from '../drawing/picture.ts'
import { type Grey, readGrey, smooth, toGrey } from './grey.ts'

type ClickData = Extract<Drawn, { kind: 'click' }>['data']
type Place = { x: number; y: number }

const askedCount = 3

/** Every second px of a character's picture: mean 0, length 1. */
interface Stencil {
  side: number
  values: Float32Array
}

const stencils = new Map<string, Stencil>()

/** A character in one of the same fonts, turned. */
function stencilOf(text: string, font: string, size: number, degrees: number): Stencil {
  const name = [text, font, size, degrees].join()
  const known = stencils.get(name)
  if (known !== undefined) return known
  const side = Math.round(size * 1.3)
  const canvas = createPicture(side, side)
  const context = canvas.getContext('2d')
  context.fillStyle = '#000'
  context.fillRect(0, 0, side, side)
  context.translate(side / 2, side / 2)
  context.rotate((degrees * Math.PI) / 180)
  context.font = `${size}px "${font}"`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = '#fff'
  context.fillText(text, 0, 0)
  const { light } = toGrey(context.getImageData(0, 0, side, side))
  const sampled = light.filter(
    (_, index) => (index % side) % 2 === 0 && Math.floor(index / side) % 2 === 0,
  )
  const mean = sampled.reduce((sum, value) => sum + value, 0) / sampled.length
  const length = Math.sqrt(sampled.reduce((sum, value) => sum + (value - mean) ** 2, 0))
  const stencil = { side, values: sampled.map(value => (value - mean) / (length || 1)) }
  stencils.set(name, stencil)
  return stencil
}

/** Pearson's correlation, whether the strokes are light or dark. */
function match(picture: Grey, { side, values }: Stencil, x: number, y: number): number {
  let [both, sum, squares, index] = [0, 0, 0, 0]
  for (let row = 0; row < side; row += 2) {
    const line = (y + row) * picture.width + x
    for (let column = 0; column < side; column += 2) {
      const light = picture.light[line + column] ?? 0
      both += light * (values[index] ?? 0)
      sum += light
      squares += light * light
      index += 1
    }
  }
  const length = Math.sqrt(Math.max(squares - (sum * sum) / values.length, 1))
  return Math.abs(both) / length
}

function bestPlace(
  picture: Grey,
  stencil: Stencil,
  area: { left: number; right: number },
  step: number,
): Place & { score: number } {
  const best = { x: 0, y: 0, score: 0 }
  for (let y = 0; y <= picture.height - stencil.side; y += step) {
    for (let x = area.left; x <= area.right - stencil.side; x += step) {
      const score = match(picture, stencil, x, y)
      if (score > best.score) {
        Object.assign(best, { x: x + stencil.side / 2, y: y + stencil.side / 2, score })
      }
    }
  }
  return best
}

/** Glyph matching with the fonts that drew the pictures: reads the small picture, then looks for each character. */
export async function solveClick(data: ClickData): Promise<Place[]> {
  const thumb = await readGrey(data.thumb)
  const large = await readGrey(data.image)
  const picture = { ...large, light: smooth(large, large.light, 1) }
  const width = thumb.width / askedCount
  return Array.from({ length: askedCount }, (_, index) => {
    const area = { left: Math.floor(index * width), right: Math.ceil((index + 1) * width) }
    const text = readCharacter(thumb, area)
    return findCharacter(picture, text)
  })
}

function readCharacter(thumb: Grey, area: { left: number; right: number }): string {
  let best = { text: glyphs[0] ?? '', score: 0 }
  for (const text of glyphs) {
    for (const font of fontFamilies) {
      for (const degrees of [-10, 0, 10]) {
        const { score } = bestPlace(thumb, stencilOf(text, font, 28, degrees), area, 4)
        if (score > best.score) best = { text, score }
      }
    }
  }
  return best.text
}

function findCharacter(picture: Grey, text: string): Place {
  let best = { x: 0, y: 0, score: 0 }
  const area = { left: 0, right: picture.width }
  for (const font of fontFamilies) {
    for (let degrees = -40; degrees <= 40; degrees += 10) {
      const place = bestPlace(picture, stencilOf(text, font, 44, degrees), area, 5)
      if (place.score > best.score) best = place
    }
  }
  return { x: Math.round(best.x), y: Math.round(best.y) }
}
