/** How far a character is brought out of its form. */
export interface Hand {
  /** Turn at most, in radians. */
  turn: number
  /** Slant at most: px sideways for each px. */
  slant: number
  /** Share by which it is squeezed or drawn out at most. */
  squeeze: number
  wave: Wave
}

/** Height and length of a wave, from and to, as shares of the character's size. */
export interface Wave {
  height: readonly [number, number]
  length: readonly [number, number]
}

/** Of a character in a picture. */
export const looseHand: Hand = {
  turn: 0.45,
  slant: 0.24,
  squeeze: 0.18,
  wave: { height: [0.07, 0.11], length: [1.1, 2] },
}

/** Of a character that is looked for. */
export const labelHand: Hand = { ...looseHand, turn: 0.25, slant: 0.17 }

/** Of a character in the small picture of a click, where there is little room. */
export const thumbHand: Hand = {
  turn: 0.25,
  slant: 0.15,
  squeeze: 0.12,
  wave: { height: [0.04, 0.07], length: [1.1, 2] },
}
