import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { between, type Random } from './random.ts'

/** Size of a challenge's picture in px, as the widgets show it (client.md section 9). */
export const pictureWidth = 300
/** Height of a challenge's picture in px. */
export const pictureHeight = 220

/** JPEG quality: noise is not worth more bytes. */
const quality = 72

/** A canvas context, as all drawing takes it. */
export type Context = SKRSContext2D

/** A canvas of its own. */
export const createPicture = (width: number, height: number): Canvas => createCanvas(width, height)

/** A picture without transparency as a `data:` address. */
export const toJpegAddress = (canvas: Canvas) =>
  `data:image/jpeg;base64,${canvas.toBuffer('image/jpeg', quality).toString('base64')}`

/** A picture with transparency as a `data:` address. */
export const toPngAddress = (canvas: Canvas) =>
  `data:image/png;base64,${canvas.toBuffer('image/png').toString('base64')}`

/** Lays soft light and shadow over a picture, so that brightness tells nothing of what was drawn. */
export function shade(context: Context, random: Random, width: number, height: number): void {
  context.save()
  context.setTransform(1, 0, 0, 1, 0, 0)
  for (let count = 0; count < 7; count += 1) {
    const x = between(random, 0, width)
    const y = between(random, 0, height)
    const radius = between(random, 40, 120)
    const light = random() < 0.5 ? 255 : 0
    const gradient = context.createRadialGradient(x, y, 0, x, y, radius)
    gradient.addColorStop(0, `rgba(${light}, ${light}, ${light}, ${between(random, 0.05, 0.25)})`)
    gradient.addColorStop(1, `rgba(${light}, ${light}, ${light}, 0)`)
    context.fillStyle = gradient
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
  }
  context.restore()
}

/** Draws lines that lead nowhere, for whoever looks for edges. */
export function scratch(
  context: Context,
  random: Random,
  width: number,
  height: number,
  count = 4,
): void {
  context.save()
  for (let line = 0; line < count; line += 1) {
    const light = random() < 0.5 ? 255 : 0
    context.strokeStyle = `rgba(${light}, ${light}, ${light}, ${between(random, 0.25, 0.5)})`
    context.lineWidth = between(random, 1, 2)
    context.beginPath()
    const x = () => between(random, -20, width + 20)
    const y = () => between(random, -20, height + 20)
    context.moveTo(x(), y())
    context.bezierCurveTo(x(), y(), x(), y(), x(), y())
    context.stroke()
  }
  context.restore()
}
