import type { Canvas } from '@napi-rs/canvas'
import { type Context, createPicture } from './picture.ts'
import { between, type Random } from './random.ts'

/** Side of the square of strokes that pictures are cut from, in px. */
const sheetSize = 768

/** Strokes on it: about one for each 14 px². */
const strokeLimit = 42_000

/** Pictures drawn from one sheet before it is replaced; each is turned, scaled and cut anew. */
const sheetUseLimit = 2_000

/** Lays strokes of one direction over what the context's clip lets through. */
export interface Grain {
  /** `angle` in radians; never the same strokes twice. */
  fill(context: Context, angle: number): void
}

/**
 * Short strokes, all in about one direction. A form is drawn as strokes of another direction, of the same colours and the same
 * mean brightness: people see it at once, while an edge detector finds edges everywhere and a template of grey values nothing.
 */
export function createGrain(random: Random): Grain {
  let sheet = drawSheet(random)
  let uses = 0
  return {
    fill(context, angle) {
      uses += 1
      if (uses > sheetUseLimit) {
        sheet = drawSheet(random)
        uses = 0
      }
      const scale = between(random, 0.95, 1.15)
      const reach = sheetSize / 2 - 230
      context.save()
      const { width, height } = context.canvas
      context.setTransform(1, 0, 0, 1, width / 2, height / 2)
      context.rotate(angle + (random() < 0.5 ? Math.PI : 0))
      context.scale(scale, scale)
      const offset = () => between(random, -reach, reach) - sheetSize / 2
      context.drawImage(sheet, offset(), offset())
      context.restore()
    },
  }
}

function drawSheet(random: Random): Canvas {
  const sheet = createPicture(sheetSize, sheetSize)
  const context = sheet.getContext('2d')
  context.fillStyle = '#777'
  context.fillRect(0, 0, sheetSize, sheetSize)
  context.lineCap = 'round'
  for (let count = 0; count < strokeLimit; count += 1) {
    context.strokeStyle = `hsl(${between(random, 0, 360)} ${between(random, 10, 50)}% ${between(random, 10, 90)}%)`
    context.lineWidth = between(random, 1.1, 1.8)
    const x = between(random, 0, sheetSize)
    const y = between(random, 0, sheetSize)
    const angle = between(random, -0.2, 0.2)
    const length = between(random, 4, 7)
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + length * Math.cos(angle), y + length * Math.sin(angle))
    context.stroke()
  }
  return sheet
}
