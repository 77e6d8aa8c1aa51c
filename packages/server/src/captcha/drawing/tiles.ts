import { createEasel, drawField, drawLabel, type Place, type Sizes, type Tools } from './field.ts'
import {
  type Context,
  createPicture,
  pictureHeight,
  pictureWidth,
  toJpegAddress,
  toPngAddress,
} from './picture.ts'
import { between, choose, integerBetween, type Random } from './random.ts'

/** Height of the box that shows the character to look for, in px. */
const labelHeight = 50

/** Width of the tile of a `slide`, which is as high as the picture, and side of the window of a `slide_region`. */
const stripWidth = 50
const windowSide = 56

/** Characters in a row and in a column. */
const columns = 6
const rows = 3

/** Px from one column to the next. */
const pitch = 45.5

/** Of the characters of the picture so many look like the one looked for. */
const likeEach = 5

/** Sizes of characters in px. */
const sizes: Sizes = [40, 43]

/** A tile starts at least so many px from where it belongs, so that doing nothing never fits. */
const leastWay = 40

/** A picture of characters, and a tile whose window belongs around the one that its label shows. */
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

/** Draws a `slide`: a strip from top to bottom, the label below, that moves along the row. */
export function drawSlide(tools: Tools): DrawnTile {
  return drawTile(tools, {
    start: { x: integerBetween(tools.random, 0, 6), y: 0 },
    field: { top: 0, height: pictureHeight - labelHeight },
    width: stripWidth,
    height: pictureHeight,
    label: { x: 0, y: pictureHeight - labelHeight, width: stripWidth, height: labelHeight },
    window: { x: 0, y: 0, width: stripWidth, height: pictureHeight - labelHeight },
    toCorner: ({ x }) => ({ x: x - stripWidth / 2, y: 0 }),
  })
}

/** Draws a `slide_region`: a window, the label above it, that moves anywhere. */
export function drawSlideRegion(tools: Tools): DrawnTile {
  const { random } = tools
  return drawTile(tools, {
    start: { x: integerBetween(random, 0, 8), y: integerBetween(random, 0, 8) },
    field: { top: labelHeight, height: pictureHeight - labelHeight },
    width: windowSide,
    height: labelHeight + windowSide,
    label: { x: 2, y: 0, width: windowSide - 4, height: labelHeight },
    window: { x: 0, y: labelHeight, width: windowSide, height: windowSide },
    toCorner: ({ x, y }) => ({ x: x - windowSide / 2, y: y - windowSide / 2 - labelHeight }),
  })
}

interface Box extends Place {
  width: number
  height: number
}

interface Layout {
  start: Place
  field: { top: number; height: number }
  width: number
  height: number
  label: Box
  window: Box
  /** Where the tile's corner is when its window stands around a place. */
  toCorner(place: Place): Place
}

function drawTile(tools: Tools, layout: Layout): DrawnTile {
  const { random } = tools
  const easel = createEasel(tools, { asked: 1, others: columns * rows - 1, likeEach })
  const places = placeCharacters(random, layout.field)
  const isReached = (place: Place) => {
    const { x, y } = layout.toCorner(place)
    const isInside =
      x >= 0 && y >= 0 && x + layout.width <= pictureWidth && y + layout.height <= pictureHeight
    return isInside && Math.hypot(x - layout.start.x, y - layout.start.y) >= leastWay
  }
  const [right] = choose(random, places.filter(isReached), 1)
  const [asked] = easel.asked
  if (right === undefined || asked === undefined) throw new Error('a puzzle needs a place')
  const characters = [
    { ...right, text: asked },
    ...places
      .filter(place => place !== right)
      .map((place, index) => ({ ...place, text: easel.others[index] ?? '' })),
  ]
  const picture = createPicture(pictureWidth, pictureHeight)
  drawField(picture.getContext('2d'), easel, characters, sizes)
  const tile = createPicture(layout.width, layout.height)
  const context = tile.getContext('2d')
  drawLabel(context, easel, asked, layout.label)
  drawWindow(context, layout.window)
  return {
    data: {
      image: toJpegAddress(picture),
      thumb: toPngAddress(tile),
      thumbX: layout.start.x,
      thumbY: layout.start.y,
      thumbWidth: layout.width,
      thumbHeight: layout.height,
    },
    answer: layout.toCorner(right),
  }
}

// A grid, each row a third of a column beside the one above, moved about a little: in a slide no two places are one.
function placeCharacters(random: Random, field: Layout['field']): Place[] {
  const height = field.height / rows
  const shifts = choose(random, [0, 1, 2], rows)
  return Array.from({ length: columns * rows }, (_, index) => {
    const row = Math.floor(index / columns)
    const column = (index % columns) + 0.5 + (shifts[row] ?? 0) / rows
    return {
      x: Math.round(column * pitch + between(random, -3, 3)),
      y: Math.round(field.top + (row + 0.5) * height + between(random, -5, 3)),
    }
  })
}

function drawWindow(context: Context, { x, y, width, height }: Box): void {
  for (const [lineWidth, style] of [
    [4, 'rgba(0, 0, 0, 0.75)'],
    [2, '#fff'],
  ] as const) {
    context.lineWidth = lineWidth
    context.strokeStyle = style
    context.strokeRect(x + 2, y + 2, width - 4, height - 4)
  }
}
