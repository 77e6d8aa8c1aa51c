import { toCanvas } from 'qrcode'

/** Look of every code (client.md section 9): side in px, correction level, quiet zone in modules. */
export const qrDefaults = { width: 200, errorCorrectionLevel: 'L', margin: 0 } as const

/** Bounds of a version; a higher one holds more. */
export const qrVersions = { least: 1, most: 40 } as const

/** Draws a code. Empty data, a version outside 1 to 40 and data too long for the version are errors. */
export async function drawQrCode(
  canvas: HTMLCanvasElement,
  data: string,
  options: { width?: number; version?: number } = {},
): Promise<void> {
  if (data === '') throw new Error('a QR code needs data')
  const { width = qrDefaults.width, version } = options
  if (version !== undefined && !isVersion(version)) {
    throw new RangeError(`QR version ${version} is not one of 1 to 40`)
  }
  await toCanvas(canvas, data, {
    ...qrDefaults,
    width,
    ...(version === undefined ? {} : { version }),
  })
}

const isVersion = (version: number) =>
  Number.isInteger(version) && version >= qrVersions.least && version <= qrVersions.most
