import { describe, expect, it } from 'vitest'
import { drawQrCode, qrDefaults, qrVersions } from './qr-code.ts'

/** As much of a canvas as the drawing needs; keeps what was painted. */
function createCanvas() {
  const painted: { width: number; height: number }[] = []
  const canvas = {
    width: 0,
    height: 0,
    style: {},
    getContext: () => ({
      clearRect() {},
      createImageData: (width: number, height: number) => ({
        width,
        height,
        data: new Uint8ClampedArray(width * height * 4),
      }),
      putImageData: (image: { width: number; height: number }) => painted.push(image),
    }),
  }
  return { canvas: canvas as unknown as HTMLCanvasElement, painted }
}

describe('drawQrCode', () => {
  it('has the defaults of client.md', () => {
    expect(qrDefaults).toEqual({ width: 200, errorCorrectionLevel: 'L', margin: 0 })
    expect(qrVersions).toEqual({ least: 1, most: 40 })
  })

  it('paints 200 px wide', async () => {
    const { canvas, painted } = createCanvas()
    await drawQrCode(canvas, 'https://console.example/#/bind?pairing=x')
    expect(painted.map(({ width, height }) => [width, height])).toEqual([[200, 200]])
  })

  it('refuses empty data', async () => {
    await expect(drawQrCode(createCanvas().canvas, '')).rejects.toThrow('needs data')
  })

  it.each([0, 41, 1.5, -1])('refuses version %s', async version => {
    await expect(drawQrCode(createCanvas().canvas, 'x', { version })).rejects.toThrow(RangeError)
  })

  it('takes the versions 1 and 40', async () => {
    for (const version of [1, 40]) {
      const { canvas, painted } = createCanvas()
      await drawQrCode(canvas, 'x', { version })
      expect(painted).toHaveLength(1)
    }
  })

  it('refuses more data than the version holds', async () => {
    const data = 'x'.repeat(200)
    await expect(drawQrCode(createCanvas().canvas, data, { version: 1 })).rejects.toThrow()
  })
})
