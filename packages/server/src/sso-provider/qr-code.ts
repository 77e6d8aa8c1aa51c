// QR codes (ISO/IEC 18004) of bytes at correction level L: what the page for the phone needs, drawn without a script.

/** Versions that are drawn: the highest holds 520 bytes, more than any address of ours. */
const lastVersion = 15

/** Correction bytes of each block, and blocks, by version. */
const correctionBytes = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]
const blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]

/** A square of modules: true is dark. */
type Modules = boolean[][]

/** Draws a text; throws RangeError where it is longer than the largest version holds. */
export function drawQrCode(text: string): Modules {
  const bytes = Buffer.from(text)
  const version = pickVersion(bytes.length)
  const { modules, isFunction } = drawFunctions(version)
  placeBits(modules, isFunction, interleave(version, encode(version, bytes)))
  const drawn = Array.from({ length: 8 }, (_, mask) => applyMask(modules, isFunction, mask))
  const penalties = drawn.map(penaltyOf)
  return drawn[penalties.indexOf(Math.min(...penalties))] ?? modules
}

/** The code as one path of an SVG element whose side is `size`. */
export function toSvgPath(modules: Modules): { size: number; path: string } {
  const rows = modules.map((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  )
  return { size: modules.length, path: rows.join('') }
}

const sizeOf = (version: number) => version * 4 + 17

/** Centres of the alignment patterns, in both directions. */
function alignmentCentres(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const last = sizeOf(version) - 7
  const step = Math.ceil((last - 6) / (2 * count - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)]
}

/** Bytes of data and correction together. */
function totalBytes(version: number): number {
  const count = version === 1 ? 0 : Math.floor(version / 7) + 2
  const alignment = count === 0 ? 0 : (count * count - 3) * 25 - (count - 2) * 10
  const side = sizeOf(version)
  const taken = 3 * 64 + 2 * (side - 16) + 31 + (version >= 7 ? 36 : 0)
  return Math.floor((side * side - taken - alignment) / 8)
}

const dataBytes = (version: number) =>
  totalBytes(version) - (correctionBytes[version - 1] ?? 0) * (blockCounts[version - 1] ?? 0)

const lengthBits = (version: number) => (version < 10 ? 8 : 16)

function pickVersion(length: number): number {
  for (let version = 1; version <= lastVersion; version += 1) {
    if (Math.ceil((4 + lengthBits(version)) / 8 + length) <= dataBytes(version)) return version
  }
  throw new RangeError(`${length} bytes do not fit into a QR code of version ${lastVersion}`)
}

/** Mode, length, bytes, end, and the padding that the standard names. */
function encode(version: number, bytes: Buffer): number[] {
  const bits = [
    ...bitsOf(0b0100, 4),
    ...bitsOf(bytes.length, lengthBits(version)),
    ...[...bytes].flatMap(byte => bitsOf(byte, 8)),
  ]
  const capacity = dataBytes(version) * 8
  bits.push(...bitsOf(0, Math.min(4, capacity - bits.length)))
  while (bits.length % 8 !== 0) bits.push(0)
  const words: number[] = []
  for (let at = 0; at < bits.length; at += 8) {
    words.push(bits.slice(at, at + 8).reduce((word, bit) => word * 2 + bit, 0))
  }
  for (let pad = 0xec; words.length < capacity / 8; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

const bitsOf = (value: number, length: number) =>
  Array.from({ length }, (_, index) => (value >>> (length - 1 - index)) & 1)

/** Splits the data into blocks, adds their correction, and takes one byte of each in turn. */
function interleave(version: number, data: readonly number[]): number[] {
  const count = blockCounts[version - 1] ?? 1
  const correction = correctionBytes[version - 1] ?? 0
  const shortLength = Math.floor(data.length / count)
  const shortCount = count - (data.length % count)
  const divisor = generatorOf(correction)
  const blocks = Array.from({ length: count }, (_, index) => {
    const from = index * shortLength + Math.max(0, index - shortCount)
    const block = data.slice(from, from + shortLength + (index < shortCount ? 0 : 1))
    return { block, correction: remainderOf(block, divisor) }
  })
  const columns = (parts: readonly number[][], length: number) =>
    Array.from({ length }, (_, at) => parts.flatMap(part => part[at] ?? [])).flat()
  return [
    ...columns(
      blocks.map(({ block }) => block),
      shortLength + 1,
    ),
    ...columns(
      blocks.map(each => each.correction),
      correction,
    ),
  ]
}

/** Product in the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    if ((b >>> bit) & 1) product ^= a
  }
  return product
}

/** Coefficients of the Reed-Solomon generator of a degree, without the leading one. */
function generatorOf(degree: number): number[] {
  let result = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let index = 0; index < degree; index += 1) {
    result = result.map((value, at) => multiply(value, root) ^ (result[at + 1] ?? 0))
    root = multiply(root, 2)
  }
  return result
}

function remainderOf(data: readonly number[], divisor: readonly number[]): number[] {
  let result = divisor.map(() => 0)
  for (const byte of data) {
    const factor = byte ^ (result[0] ?? 0)
    result = [...result.slice(1), 0].map((value, at) => value ^ multiply(divisor[at] ?? 0, factor))
  }
  return result
}

/** Everything that does not depend on the data; the format's place is kept free. */
function drawFunctions(version: number): { modules: Modules; isFunction: Modules } {
  const side = sizeOf(version)
  const blank = () => Array.from({ length: side }, () => Array<boolean>(side).fill(false))
  const modules = blank()
  const isFunction = blank()
  const set = (x: number, y: number, isDark: boolean) =>
    setModule(modules, isFunction, x, y, isDark)

  for (let at = 0; at < side; at += 1) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [side - 4, 3],
    [3, side - 4],
  ] as const) {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy))
        set(x + dx, y + dy, ring !== 2 && ring !== 4)
      }
    }
  }
  const centres = alignmentCentres(version)
  const last = side - 7
  for (const y of centres) {
    for (const x of centres) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
      for (let dy = -2; dy <= 2 && !isFinder; dy += 1) {
        for (let dx = -2; dx <= 2; dx += 1) {
          set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
        }
      }
    }
  }
  drawFormat(modules, isFunction, 0)
  if (version >= 7) {
    let remainder = version
    for (let index = 0; index < 12; index += 1) {
      remainder = (remainder << 1) ^ ((remainder >>> 11) * 0x1f25)
    }
    const bits = (version << 12) | remainder
    for (let index = 0; index < 18; index += 1) {
      const isDark = ((bits >>> index) & 1) === 1
      const [a, b] = [side - 11 + (index % 3), Math.floor(index / 3)]
      set(a, b, isDark)
      set(b, a, isDark)
    }
  }
  return { modules, isFunction }
}

function setModule(
  modules: Modules,
  isFunction: Modules,
  x: number,
  y: number,
  isDark: boolean,
): void {
  const [row, marks] = [modules[y], isFunction[y]]
  if (row === undefined || marks === undefined || x < 0 || x >= row.length) return
  row[x] = isDark
  marks[x] = true
}

/** Correction level L and the mask, twice. */
function drawFormat(modules: Modules, isFunction: Modules, mask: number): void {
  const side = modules.length
  const data = (0b01 << 3) | mask
  let remainder = data
  for (let index = 0; index < 10; index += 1) {
    remainder = (remainder << 1) ^ ((remainder >>> 9) * 0x537)
  }
  const bits = ((data << 10) | remainder) ^ 0x5412
  const isDark = (index: number) => ((bits >>> index) & 1) === 1
  const set = (x: number, y: number, dark: boolean) => setModule(modules, isFunction, x, y, dark)
  const steps = [0, 1, 2, 3, 4, 5, 7, 8]
  for (let index = 0; index < 8; index += 1) {
    set(8, steps[index] ?? 0, isDark(index))
    set(side - 1 - index, 8, isDark(index))
  }
  for (let index = 8; index < 15; index += 1) {
    set(steps[14 - index] ?? 0, 8, isDark(index))
    set(8, side - 15 + index, isDark(index))
  }
  set(8, side - 8, true)
}

/** Writes the bits in columns of two, from the right, upwards and downwards in turn. */
function placeBits(modules: Modules, isFunction: Modules, words: readonly number[]): void {
  const side = modules.length
  let at = 0
  for (let right = side - 1; right >= 1; right -= 2) {
    // The column of the timing pattern is left out.
    if (right === 6) right = 5
    for (let step = 0; step < side; step += 1) {
      const isUpward = ((right + 1) & 2) === 0
      const y = isUpward ? side - 1 - step : step
      for (const x of [right, right - 1]) {
        const row = modules[y]
        if (row === undefined || isFunction[y]?.[x] !== false || at >= words.length * 8) continue
        row[x] = (((words[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1) === 1
        at += 1
      }
    }
  }
}

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

function applyMask(modules: Modules, isFunction: Modules, mask: number): Modules {
  const isFlipped = masks[mask] ?? (() => false)
  const masked = modules.map((row, y) =>
    row.map((isDark, x) => (isFunction[y]?.[x] ? isDark : isDark !== isFlipped(x, y))),
  )
  drawFormat(
    masked,
    isFunction.map(row => [...row]),
    mask,
  )
  return masked
}

/** How hard a code is to read, by the four rules of the standard. */
function penaltyOf(modules: Modules): number {
  const side = modules.length
  const columns = modules.map((_, x) => modules.map(row => row[x] ?? false))
  const lines = [...modules, ...columns].map(line => line.map(Number).join(''))
  let penalty = 0
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2
    // A look-ahead, because two such patterns may share modules.
    penalty += 40 * (line.match(/(?=00001011101|10111010000)/g) ?? []).length
  }
  for (let y = 0; y < side - 1; y += 1) {
    for (let x = 0; x < side - 1; x += 1) {
      const corner = modules[y]?.[x]
      const isBlock =
        corner === modules[y]?.[x + 1] &&
        corner === modules[y + 1]?.[x] &&
        corner === modules[y + 1]?.[x + 1]
      if (isBlock) penalty += 3
    }
  }
  const dark = modules.flat().filter(Boolean).length
  return penalty + Math.floor(Math.abs((dark * 100) / (side * side) - 50) / 5) * 10
}
