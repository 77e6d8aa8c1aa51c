/** The longest answer of a provider that is read, in bytes: keys and descriptions of the large ones are a tenth of it. */
const answerLimit = 256 * 1024

/** Reads an answer to its end; throws RangeError, and hangs up, where it is longer than any that makes sense. */
export async function readBounded(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > answerLimit) throw new RangeError('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
