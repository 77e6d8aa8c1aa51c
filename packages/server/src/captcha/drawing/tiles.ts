import type { Grain } from './grain.ts'
import {
  type Context,
  createPicture,
  pictureHeight,
  pictureWidth,
  scratch,
  shade,
  toJpegAddress,
  toPngAddress,
} from './picture.ts'
import { between, choose, integerBetween, type Random } from './random.ts'
import { type Shape, shapes, traceShape } from './shapes.ts'

/** Side of the square a tile stands in, in px. */
export const tileSize = 56

/** Gaps of other forms: in the tile's row of a slide, anywhere in a slide_region. */
const decoysInRow = 2
const decoysAnywhere = 5

interface Place {
  x: number
  y: number
}

/** A puzzle with a gap of the tile's form among gaps of other forms. */
export interface DrawnTile {
  data: {
    image: string
    thumb: string
    thumbX: number
    thumbY: number
    thumbWidth: number
    thumbHeight: number
  }
  answer: Place
}

/** Draws a `slide`: the tile moves along its row only. */
export function drawSlide(random: Random, grain: Grain): DrawnTile {
  const y = integerBetween(random, 8, pictureHeight - tileSize - 8)
  const places = placeInRow(random, y)
  return drawTile(random, grain, places, { x: integerBetween(random, 0, 6), y })
}

/** Draws a `slide_region`: the tile moves anywhere. */
export function drawSlideRegion(random: Random, grain: Grain): DrawnTile {
  const places = placeAnywhere(random)
  const start = { x: integerBetween(random, 0, 8), y: integerBetween(random, 0, 8) }
  return drawTile(random, grain, places, start)
}

// From right of the start to the edge, the space that is left over spread at random.
function placeInRow(random: Random, y: number): Place[] {
  const count = decoysInRow + 1
  const from = tileSize + 12
  let left = pictureWidth - 4 - from - count * tileSize
  let x = from
  const places: Place[] = []
  for (let index = 0; index < count; index += 1) {
    const gap = random() * (left / (count - index)) * 1.6
    const used = Math.min(left, gap)
    x += used
    left -= used
    places.push({ x: Math.round(x), y })
    x += tileSize
  }
  return choose(random, places, places.length)
}

const placingTryLimit = 400

function placeAnywhere(random: Random): Place[] {
  const places: Place[] = []
  for (
    let tries = 0;
    places.length <= decoysAnywhere && (tries < placingTryLimit || places.length === 0);
    tries += 1
  ) {
    const place = {
      x: integerBetween(random, 4, pictureWidth - tileSize - 4),
      y: integerBetween(random, 4, pictureHeight - tileSize - 4),
    }
    // Not under the tile at its start, nor touching another gap.
    if (place.x < tileSize + 16 && place.y < tileSize + 16) continue
    const isFree = places.every(
      other => Math.max(Math.abs(other.x - place.x), Math.abs(other.y - place.y)) > tileSize + 2,
    )
    if (isFree) places.push(place)
  }
  return places
}

function drawTile(random: Random, grain: Grain, places: Place[], start: Place): DrawnTile {
  const [answer, ...decoys] = places
  if (answer === undefined) throw new Error('a puzzle needs a place')
  const [shape = 'circle', ...others] = choose(random, shapes, shapes.length)
  const angle = between(random, 0, Math.PI)
  const picture = createPicture(pictureWidth, pictureHeight)
  const context = picture.getContext('2d')
  grain.fill(context, angle)
  fillGap(context, random, grain, shape, answer, angle)
  decoys.forEach((place, index) => {
    fillGap(context, random, grain, others[index % others.length] ?? 'circle', place, angle)
  })
  shade(context, random, pictureWidth, pictureHeight)
  scratch(context, random, pictureWidth, pictureHeight)
  return {
    data: {
      image: toJpegAddress(picture),
      thumb: drawThumb(grain, shape, angle),
      thumbX: start.x,
      thumbY: start.y,
      thumbWidth: tileSize,
      thumbHeight: tileSize,
    },
    answer,
  }
}

function fillGap(
  context: Context,
  random: Random,
  grain: Grain,
  shape: Shape,
  { x, y }: Place,
  angle: number,
): void {
  context.save()
  traceShape(context, shape, x, y, tileSize)
  context.clip()
  grain.fill(context, angle + Math.PI / 2 + between(random, -0.2, 0.2))
  context.restore()
}

// Strokes of its own, none of the picture's: what fits is the form alone, so there is nothing to look up in the picture.
function drawThumb(grain: Grain, shape: Shape, angle: number): string {
  const tile = createPicture(tileSize, tileSize)
  const context = tile.getContext('2d')
  context.save()
  traceShape(context, shape, 0, 0, tileSize)
  context.clip()
  grain.fill(context, angle)
  context.restore()
  traceShape(context, shape, 1, 1, tileSize - 2)
  context.lineWidth = 3
  context.strokeStyle = 'rgba(0, 0, 0, 0.75)'
  context.stroke()
  context.lineWidth = 1.5
  context.strokeStyle = '#fff'
  context.stroke()
  return toPngAddress(tile)
}
