import { expect, it } from 'vitest'
import { drawQrPath } from './qr-code.ts'

/** A module of the 7 by 7 in each of three corners (ISO/IEC 18004): a ring of light ones between dark ones. */
const isFinderDark = (column: number, row: number) =>
  Math.max(Math.abs(column - 3), Math.abs(row - 3)) !== 2

it('draws the dark modules of a code row by row, its corners among them', () => {
  const { size, path } = drawQrPath('https://console.example/#/sso/confirm?request=xxxx')
  expect(size).toBe(29)
  expect(path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/)
  const dark = new Set(path.match(/\d+ \d+(?=h)/g))
  const corners = [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const
  for (const [left, top] of corners) {
    for (let at = 0; at < 49; at += 1) {
      const [column, row] = [at % 7, Math.floor(at / 7)]
      expect(dark.has(`${left + column} ${top + row}`)).toBe(isFinderDark(column, row))
    }
  }
})

it('refuses what fits into no code', () => {
  expect(() => drawQrPath('x'.repeat(3_000))).toThrow()
})
