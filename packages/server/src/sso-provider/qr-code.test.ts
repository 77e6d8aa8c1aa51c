import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { drawQrCode, toSvgPath } from './qr-code.ts'

const textOf = (length: number) =>
  'https://console.example/#/sso/confirm?request='.padEnd(length, 'x')
const hashOf = (modules: boolean[][]) =>
  createHash('sha256')
    .update(modules.map(row => row.map(Number).join('')).join('\n'))
    .digest('hex')
    .slice(0, 16)

// Made with the `qrcode` package that the console draws with, for the same bytes at level L.
it.each([
  [1, 1, 'e0065cd099f60f3d'],
  [16, 1, '2fa90d2fa6391be7'],
  [46, 3, '03e1a764d2074b1d'],
  [68, 4, '39fd6ba2d995bf2b'],
  [106, 5, '5ed59ce14e2db0fa'],
  [154, 7, '62e41e47e0d3a56b'],
  [192, 8, '7b58830ba28b00a9'],
  [230, 9, '22d1a6c76d88e6d0'],
  [271, 10, 'a369089c9619f8f9'],
  [367, 12, '7577a8656e1dcdfb'],
  [520, 15, 'ab8c96d47c742723'],
])('draws %i bytes as version %i, module by module', (length, version, hash) => {
  const modules = drawQrCode(textOf(length).slice(0, length))
  expect(modules.length).toBe(version * 4 + 17)
  expect(hashOf(modules)).toBe(hash)
})

it('counts bytes, not characters, and refuses what does not fit', () => {
  expect(drawQrCode('汉'.repeat(5)).length).toBe(21)
  expect(drawQrCode('汉'.repeat(6)).length).toBe(25)
  expect(() => drawQrCode('x'.repeat(521))).toThrow(RangeError)
})

it('draws every dark module into the path', () => {
  const modules = drawQrCode('homeport')
  const { size, path } = toSvgPath(modules)
  expect(size).toBe(modules.length)
  expect(path.match(/M/g)?.length).toBe(modules.flat().filter(Boolean).length)
  expect(path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/)
})
