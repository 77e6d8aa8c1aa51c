import type { FontFamily } from './glyphs.ts'
import { createPicture } from './picture.ts'

/** Size in px that a stencil's character is drawn in. */
export const stencilSize = 48

/** Side of a stencil in px: room for strokes that reach out of their square. */
export const stencilSide = 64

/** Width of the outline around a character in px, half of it outside. */
const outlineWidth = 4.2

/** A character upright: of each px how much its strokes cover, and how much strokes and outline do, 0 to 255. */
export interface Stencil {
  inside: Uint8Array
  whole: Uint8Array
}

/** Makes stencils and keeps them, about 8 KiB for each character in each font: drawing text is the slow part. */
export function createStencils(): (text: string, font: FontFamily) => Stencil {
  const known = new Map<string, Stencil>()
  const context = createPicture(stencilSide, stencilSide).getContext('2d')
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = outlineWidth
  context.strokeStyle = '#00f'
  context.fillStyle = '#f00'
  return (text, font) => {
    const name = `${font} ${text}`
    const old = known.get(name)
    if (old !== undefined) return old
    context.clearRect(0, 0, stencilSide, stencilSide)
    context.font = `${stencilSize}px "${font}"`
    context.strokeText(text, stencilSide / 2, stencilSide / 2)
    context.fillText(text, stencilSide / 2, stencilSide / 2)
    const { data } = context.getImageData(0, 0, stencilSide, stencilSide)
    const inside = new Uint8Array(stencilSide ** 2)
    const whole = new Uint8Array(stencilSide ** 2)
    for (let index = 0; index < whole.length; index += 1) {
      const cover = data[index * 4 + 3] as number
      whole[index] = cover
      inside[index] = ((data[index * 4] as number) * cover) / 255
    }
    const stencil = { inside, whole }
    known.set(name, stencil)
    return stencil
  }
}
