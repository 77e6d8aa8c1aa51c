import { fontFamilies, glyphs } from './glyphs.ts'
import { type Stencil, stencilSide } from './stencils.ts'

/** Squares of a stencil in a row and in a column whose cover is compared. */
const squaresAcross = 13

/** So many are most like another. */
const likeCount = 12

/** Finds the characters most like another, the nearest first. */
export function createLookalikes(
  stencilOf: (text: string, font: (typeof fontFamilies)[number]) => Stencil,
): (text: string) => string[] {
  const known = new Map<string, string[]>()
  let profiles: Map<string, Float64Array> | undefined
  return text => {
    const old = known.get(text)
    if (old !== undefined) return old
    profiles ??= new Map(
      glyphs.map(each => [each, profileOf(stencilOf(each, fontFamilies[1]).inside)]),
    )
    const own = profiles.get(text)
    if (own === undefined) return []
    const like = [...profiles]
      .filter(([other]) => other !== text)
      .map(([other, profile]) => ({ other, likeness: multiply(own, profile) }))
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, likeCount)
      .map(({ other }) => other)
    known.set(text, like)
    return like
  }
}

// Cover of each square, without its mean and of length 1.
function profileOf(mask: Uint8Array): Float64Array {
  const sums = new Float64Array(squaresAcross ** 2)
  for (let index = 0; index < mask.length; index += 1) {
    const cover = mask[index] as number
    if (cover === 0) continue
    const row = Math.floor((Math.floor(index / stencilSide) * squaresAcross) / stencilSide)
    const column = Math.floor(((index % stencilSide) * squaresAcross) / stencilSide)
    const square = row * squaresAcross + column
    sums[square] = (sums[square] as number) + cover
  }
  const mean = sums.reduce((sum, value) => sum + value, 0) / sums.length
  const off = sums.map(value => value - mean)
  const length = Math.sqrt(multiply(off, off)) || 1
  return off.map(value => value / length)
}

function multiply(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) {
    sum += (a[index] as number) * (b[index] as number)
  }
  return sum
}
