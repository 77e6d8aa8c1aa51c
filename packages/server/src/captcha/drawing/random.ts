import { randomFillSync } from 'node:crypto'

/** A number from 0 up to 1. */
export type Random = () => number

const wordLimit = 1024

/** Numbers of the system's generator: nobody can work out the next picture from the last one. */
export function createSystemRandom(): Random {
  const words = new Uint32Array(wordLimit)
  let next = wordLimit
  return () => {
    if (next >= wordLimit) {
      randomFillSync(words)
      next = 0
    }
    const word = words[next] ?? 0
    next += 1
    return word / 2 ** 32
  }
}

/** A number between two others. */
export const between = (random: Random, low: number, high: number) => low + random() * (high - low)

/** A whole number between two others, both included. */
export const integerBetween = (random: Random, low: number, high: number) =>
  Math.floor(between(random, low, high + 1))

/** A part of a list in random order. */
export function choose<T>(random: Random, list: readonly T[], count: number): T[] {
  const rest = [...list]
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [item] = rest.splice(Math.floor(random() * rest.length), 1)
    return item as T
  })
}
