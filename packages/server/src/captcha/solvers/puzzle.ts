import type { CaptchaValue } from '@homeport/contract'
import { createCanvas, type Image, loadImage } from '@napi-rs/canvas'
import type { Drawn } from '../drawing/artist.ts'
import type { Grain } from '../drawing/grain.ts'
import { type Grey, slopes, smooth, toGrey } from './grey.ts'

/** A place of a picture where a character may stand, and the way of its middle to the answer. */
export interface Spot {
  x: number
  y: number
  /** Spots of one cell exclude one another. */
  cell: number
}

/** A spot that a label was found at. */
export interface Found {
  label: number
  spot: Spot
}

/** A challenge as every solver sees it: which of the labels stands where? */
export interface Puzzle {
  picture: Grey
  /** Each on a ground like the picture's, in its middle. */
  labels: { picture: Grey; size: number }[]
  /** Size of a character in the picture, in px. */
  size: number
  /** For each label where it may stand. */
  spots: Spot[]
  /** The value a browser would send: a spot for each label that was found. */
  answer(found: readonly Found[]): CaptchaValue
}

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)

const open = (address: string) =>
  loadImage(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'))

function readPicture(image: Image): Grey {
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  return toGrey(context.getImageData(0, 0, image.width, image.height))
}

type Point = { x: number; y: number }

const around = ({ x, y }: Point, offs: readonly number[], cell: number): Spot[] =>
  offs.flatMap(down => offs.map(right => ({ x: x + right, y: y + down, cell })))

const onCircle = (middle: number, reach: number, degrees: number): Point => ({
  x: middle + reach * Math.cos((degrees * Math.PI) / 180),
  y: middle + reach * Math.sin((degrees * Math.PI) / 180),
})

/** How strong edges are around a place: characters have stronger ones than strokes. */
function weigh(picture: Grey, reach: number): (place: Point) => number {
  const slope = slopes({ ...picture, light: smooth(picture, picture.light, 1) })
  const strength = slope.x.map((x, index) => Math.hypot(x, slope.y[index] ?? 0))
  const sums = smooth(picture, strength, reach)
  const { width, height } = picture
  return ({ x, y }) => {
    const column = Math.min(Math.max(Math.round(x), 0), width - 1)
    const row = Math.min(Math.max(Math.round(y), 0), height - 1)
    return sums[row * width + column] ?? 0
  }
}

const total = (weight: (place: Point) => number, places: readonly Point[]) =>
  places.reduce((sum, place) => sum + weight(place), 0)

/** What is at the places less what is `off` px to their left and right. */
const contrast = (weight: (place: Point) => number, places: readonly Point[], off: number) =>
  2 * total(weight, places) -
  total(
    weight,
    places.map(({ x, y }) => ({ x: x - off, y })),
  ) -
  total(
    weight,
    places.map(({ x, y }) => ({ x: x + off, y })),
  )

const labelSide = 120

/** A part of a picture around a place, turned back, laid onto a ground of strokes: nobody sees an edge of the cut. */
function cutLabel(
  image: Image,
  grain: Grain,
  {
    x,
    y,
    width,
    height,
    turn = 0,
  }: { x: number; y: number; width: number; height: number; turn?: number },
): Grey {
  const canvas = createCanvas(labelSide, labelSide)
  const context = canvas.getContext('2d')
  grain.fill(context, 1)
  context.beginPath()
  context.rect((labelSide - width) / 2, (labelSide - height) / 2, width, height)
  context.clip()
  context.translate(labelSide / 2, labelSide / 2)
  context.rotate(turn)
  context.drawImage(image, -x, -y)
  return toGrey(context.getImageData(0, 0, labelSide, labelSide))
}

/** Lays a challenge out, with all that the source tells of it. */
export async function layOut(drawn: Drawn, grain: Grain): Promise<Puzzle> {
  const [image, thumb] = [await open(drawn.data.image), await open(drawn.data.thumb)]
  const picture = readPicture(image)
  switch (drawn.kind) {
    case 'click': {
      const boxes = [25, 75, 125].map(x => ({ x, y: 20, width: 48, height: 40 }))
      const weight = weigh(picture, 20)
      const spots = range(0, 9, 1).flatMap(cell => {
        const middle = { x: ((cell % 5) + 0.5) * 60, y: (Math.floor(cell / 5) + 0.5) * 110 }
        const places = range(-24, 24, 2).flatMap(down =>
          range(-6, 6, 2).map(right => ({ x: middle.x + right, y: middle.y + down })),
        )
        const top = places.reduce((a, b) => (weight(a) >= weight(b) ? a : b))
        return around(top, [-4, -2, 0, 2, 4], cell)
      })
      return {
        picture,
        labels: boxes.map(box => ({ picture: cutLabel(thumb, grain, box), size: 35 })),
        size: 46,
        spots,
        answer: found =>
          found.toSorted((a, b) => a.label - b.label).map(({ spot: { x, y } }) => ({ x, y })),
      }
    }
    case 'slide':
    case 'slide_region': {
      const isStrip = drawn.kind === 'slide'
      const { thumbWidth, thumbHeight, thumbX, thumbY } = drawn.data
      const box = {
        x: thumbWidth / 2,
        y: isStrip ? thumbHeight - 25 : 25,
        width: thumbWidth - (isStrip ? 6 : 10),
        height: 44,
      }
      const toCorner = ({ x, y }: Spot) =>
        isStrip
          ? { x: Math.round(x - thumbWidth / 2), y: 0 }
          : { x: Math.round(x - thumbWidth / 2), y: Math.round(y + thumbWidth / 2 - thumbHeight) }
      const weight = weigh(picture, 14)
      const spots = range(0, 2, 1)
        .flatMap(row => {
          const y = (isStrip ? 0 : 50) + (row + 0.5) * (170 / 3) - 1
          // Of the three ways a row may be shifted the one with most between its gaps.
          const ways = [0, 1, 2].map(shift =>
            range(0, 5, 1).map(column => ({ x: (column + 0.5 + shift / 3) * 45.5, y })),
          )
          const best = ways.reduce((a, b) =>
            contrast(weight, a, 22) >= contrast(weight, b, 22) ? a : b,
          )
          return best.flatMap(place => around(place, [-3, 0, 3], 0))
        })
        .filter(spot => {
          const { x, y } = toCorner(spot)
          return y >= 0 && y + thumbHeight <= 220 && Math.hypot(x - thumbX, y - thumbY) >= 40
        })
      return {
        picture,
        labels: [{ picture: cutLabel(thumb, grain, box), size: 44 }],
        size: 41.5,
        spots,
        answer: ([found]) => (found === undefined ? [] : toCorner(found.spot)),
      }
    }
    case 'rotate': {
      const { angle: start, thumbSize } = drawn.data
      const angles = findPointers(readPicture(thumb))
      const labels = angles.map(angle => {
        const radians = (angle * Math.PI) / 180
        const box = {
          x: thumbSize / 2 + 32 * Math.cos(radians),
          y: thumbSize / 2 + 32 * Math.sin(radians),
          width: 46,
          height: 46,
          turn: (start * Math.PI) / 180,
        }
        return { picture: cutLabel(thumb, grain, box), size: 42 }
      })
      const weight = weigh(picture, 10)
      const ways = range(0, 28, 2).map(first =>
        range(0, 11, 1).map(index => onCircle(110, 85, first + index * 30)),
      )
      const turned = (way: Point[], by: number) =>
        way.map(({ x, y }) =>
          onCircle(110, 85, (Math.atan2(y - 110, x - 110) * 180) / Math.PI + by),
        )
      const gain = (way: Point[]) => total(weight, way) - total(weight, turned(way, 15))
      const spots = ways
        .reduce((a, b) => (gain(a) >= gain(b) ? a : b))
        .flatMap(place => around(place, [-4, 0, 4], 0))
      return {
        picture,
        labels,
        size: 38.5,
        spots,
        answer: ([found]) => {
          if (found === undefined) return []
          const { x, y } = found.spot
          const angle = (Math.atan2(y - 110, x - 110) * 180) / Math.PI - (angles[found.label] ?? 0)
          return { angle: Math.round((angle + 720) % 360) }
        },
      }
    }
  }
}

// The two pointers are the whitest places of their ring.
function findPointers({ width, light }: Grey): number[] {
  const reach = width / 2 - 9
  const white = range(0, 359, 1).map(degrees => {
    const angle = (degrees * Math.PI) / 180
    return [-2, 0, 2].reduce((sum, off) => {
      const x = Math.round(width / 2 + (reach + off) * Math.cos(angle))
      const y = Math.round(width / 2 + (reach + off) * Math.sin(angle))
      return sum + (light[y * width + x] ?? 0)
    }, 0)
  })
  const even = white.map((_, degrees) =>
    range(-5, 5, 1).reduce((sum, off) => sum + (white[(degrees + off + 360) % 360] ?? 0), 0),
  )
  const found: number[] = []
  for (let pointer = 0; pointer < 2; pointer += 1) {
    const free = even.map((value, degrees) =>
      found.every(other => Math.abs(((degrees - other + 540) % 360) - 180) > 90) ? value : 0,
    )
    found.push(free.indexOf(Math.max(...free)))
  }
  return found
}
