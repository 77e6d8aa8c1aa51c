import { create } from 'qrcode'

/**
 * A QR code of correction level L as one path of an SVG element whose side is `size` modules: what a page without a script
 * needs. Throws where the text fits into no code.
 */
export function drawQrPath(text: string): { size: number; path: string } {
  const { size, data } = create(text, { errorCorrectionLevel: 'L' }).modules
  const path = Array.from(data, (isDark, at) =>
    isDark ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : '',
  ).join('')
  return { size, path }
}
