import type { Context } from './picture.ts'

/** Forms a tile may have: far enough apart to be told by eye in a picture without outlines. */
export const shapes = ['circle', 'triangle', 'cross', 'diamond', 'bar', 'post'] as const

/** Form of a tile. */
export type Shape = (typeof shapes)[number]

/** Traces a form in the middle of a square of `size` px at (x, y), as the context's path. */
export function traceShape(
  context: Context,
  shape: Shape,
  x: number,
  y: number,
  size: number,
): void {
  const corners: Record<Exclude<Shape, 'circle'>, readonly (readonly [number, number])[]> = {
    triangle: [
      [0.5, 0.06],
      [0.96, 0.9],
      [0.04, 0.9],
    ],
    cross: [
      [0.33, 0.05],
      [0.67, 0.05],
      [0.67, 0.33],
      [0.95, 0.33],
      [0.95, 0.67],
      [0.67, 0.67],
      [0.67, 0.95],
      [0.33, 0.95],
      [0.33, 0.67],
      [0.05, 0.67],
      [0.05, 0.33],
      [0.33, 0.33],
    ],
    diamond: [
      [0.5, 0.02],
      [0.98, 0.5],
      [0.5, 0.98],
      [0.02, 0.5],
    ],
    bar: [
      [0.03, 0.3],
      [0.97, 0.3],
      [0.97, 0.7],
      [0.03, 0.7],
    ],
    post: [
      [0.3, 0.03],
      [0.7, 0.03],
      [0.7, 0.97],
      [0.3, 0.97],
    ],
  }
  context.beginPath()
  if (shape === 'circle') {
    context.arc(x + size / 2, y + size / 2, size * 0.44, 0, Math.PI * 2)
    return
  }
  for (const [dx, dy] of corners[shape]) context.lineTo(x + dx * size, y + dy * size)
  context.closePath()
}
