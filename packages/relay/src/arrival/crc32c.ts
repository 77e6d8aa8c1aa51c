// The polynomial of Castagnoli with its bits reversed, as RFC 4960 appendix B uses it.
const polynomial = 0x82f63b78

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let sum = index
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ polynomial : sum >>> 1
  return sum
})

/** The CRC32c checksum of some bytes, 32 bits without a sign. */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffff_ffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0)
  return (sum ^ 0xffff_ffff) >>> 0
}
