import type { Page } from 'playwright-core'

// Reads a QR code of correction level L from a page, as a phone's camera would: what is drawn counts, not what should be. There is
// no correction: a picture on a screen has no scratches, and a module that is wrong must fail the test.

const correctionBytes = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]
const blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  x => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** True for modules that hold no data. */
function isFunction(side: number, x: number, y: number): boolean {
  const version = (side - 17) / 4
  const [right, bottom] = [side - 9, side - 9]
  if ((x < 9 && y < 9) || (x > right && y < 9) || (x < 9 && y > bottom)) return true
  if (x === 6 || y === 6) return true
  if (version >= 7 && ((x >= side - 11 && y < 6) || (y >= side - 11 && x < 6))) return true
  if (version === 1) return false
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((side - 13) / (2 * count - 2)) * 2
  const centres = [
    6,
    ...Array.from({ length: count - 1 }, (_, index) => side - 7 - (count - 2 - index) * step),
  ]
  const last = side - 7
  return centres.some(cy =>
    centres.some(cx => {
      const isFinder =
        (cx === 6 && cy === 6) || (cx === 6 && cy === last) || (cx === last && cy === 6)
      return !isFinder && Math.abs(cx - x) <= 2 && Math.abs(cy - y) <= 2
    }),
  )
}

/** Every byte, data and correction, in the order in which they are drawn. */
function readWords(modules: readonly boolean[][]): number[] {
  const side = modules.length
  const at = (x: number, y: number) => Number(modules[y]?.[x] ?? false)
  // The first five bits of the format, behind the standard's own mask: the level, then the mask of the data.
  const high = [14, 13, 12, 11, 10].map(index => at(14 - index, 8) ^ ((0x5412 >> index) & 1))
  const [level1, level0, ...maskBits] = high
  if (level1 !== 0 || level0 !== 1) throw new Error('not of level L')
  const isFlipped = masks[maskBits.reduce((mask, bit) => mask * 2 + bit, 0)] ?? (() => false)
  const bits: number[] = []
  for (let right = side - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < side; step += 1) {
      const y = ((right + 1) & 2) === 0 ? side - 1 - step : step
      for (const x of [right, right - 1]) {
        if (!isFunction(side, x, y)) bits.push(at(x, y) ^ Number(isFlipped(x, y)))
      }
    }
  }
  const words: number[] = []
  for (let from = 0; from + 8 <= bits.length; from += 8) {
    words.push(bits.slice(from, from + 8).reduce((word, bit) => word * 2 + bit, 0))
  }
  return words
}

/** The text of a code. */
export function decodeQr(modules: readonly boolean[][]): string {
  const version = (modules.length - 17) / 4
  const words = readWords(modules)
  const count = blockCounts[version - 1] ?? 1
  const dataLength = words.length - count * (correctionBytes[version - 1] ?? 0)
  const [short, longCount] = [Math.floor(dataLength / count), dataLength % count]
  const blocks = Array.from({ length: count }, (): number[] => [])
  let from = 0
  for (let column = 0; column <= short; column += 1) {
    const first = column < short ? 0 : count - longCount
    for (let block = first; block < count; block += 1) blocks[block]?.push(words[from++] ?? 0)
  }
  const bits = blocks
    .flat()
    .flatMap(word => [...word.toString(2).padStart(8, '0')])
    .join('')
  return readSegments(bits, version < 10)
}

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

/** A text may change between digits, capitals and bytes, whichever is shortest. */
function readSegments(bits: string, isSmall: boolean): string {
  let at = 0
  const take = (count: number) => {
    const value = Number.parseInt(bits.slice(at, at + count), 2)
    at += count
    return value
  }
  const bytes: number[] = []
  const add = (text: string) => bytes.push(...Buffer.from(text))
  while (at + 4 <= bits.length) {
    const mode = take(4)
    if (mode === 0) break
    if (mode === 1) {
      let left = take(isSmall ? 10 : 12)
      for (; left >= 3; left -= 3) add(String(take(10)).padStart(3, '0'))
      if (left > 0) add(String(take(left === 2 ? 7 : 4)).padStart(left, '0'))
    } else if (mode === 2) {
      let left = take(isSmall ? 9 : 11)
      for (; left >= 2; left -= 2) {
        const pair = take(11)
        add(`${alphanumerics[Math.floor(pair / 45)]}${alphanumerics[pair % 45]}`)
      }
      if (left > 0) add(alphanumerics[take(6)] ?? '')
    } else if (mode === 4) {
      for (let left = take(isSmall ? 8 : 16); left > 0; left -= 1) bytes.push(take(8))
    } else throw new Error(`mode ${mode} is not known`)
  }
  return Buffer.from(bytes).toString()
}

/** Reads the code of an element that is a picture of one: light around it, or none. */
export async function readQr(page: Page, selector: string): Promise<string> {
  const picture = await page.locator(selector).screenshot({ animations: 'disabled' })
  const modules = await page.evaluate(
    readModules,
    `data:image/png;base64,${picture.toString('base64')}`,
  )
  return decodeQr(modules)
}

// Runs in the page: it can only use what it is given.
async function readModules(address: string): Promise<boolean[][]> {
  const image = await createImageBitmap(
    new Blob([Uint8Array.from(atob(address.split(',')[1] ?? ''), each => each.charCodeAt(0))]),
  )
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const isDark = (x: number, y: number) => (data[(y * image.width + x) * 4] ?? 255) < 128
  const columns = Array.from({ length: image.width }, (_, x) => x)
  const rows = Array.from({ length: image.height }, (_, y) => y)
  const darkColumns = columns.filter(x => rows.some(y => isDark(x, y)))
  const darkRows = rows.filter(y => columns.some(x => isDark(x, y)))
  const [left = 0, right = 0] = [darkColumns[0], darkColumns.at(-1)]
  const [top = 0, bottom = 0] = [darkRows[0], darkRows.at(-1)]
  const width = right - left + 1
  // The first row of the finder in the corner is seven dark modules.
  let run = 0
  while (isDark(left + run, top + 1)) run += 1
  const side = Math.round((width / (run / 7) - 17) / 4) * 4 + 17
  const unitX = width / side
  const unitY = (bottom - top + 1) / side
  return Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (_, x) =>
      isDark(Math.floor(left + (x + 0.5) * unitX), Math.floor(top + (y + 0.5) * unitY)),
    ),
  )
}
