import type { Field } from './field-lines.ts'

/**
 * How often one request may come through relays of this kind. A record that leads to another record's public name makes two; a
 * record that leads to itself would go round until every place is taken: 508.
 */
const passLimit = 4

const own = 'homeport'

/**
 * What marks a request that came through: `CDN-Loop` (RFC 8586), because it was made for this, other networks in a ring count it
 * too, and targets do not act on it, whereas many stop compressing at a `Via`.
 */
export const loopLine = `CDN-Loop: ${own}\r\n`

/** True for a request that has come through too often. RFC 8586 §2: a list of ids, each with parameters that do not matter here. */
export function isLooping(fields: readonly Field[]): boolean {
  let passes = 0
  for (const { name, value } of fields) {
    if (name !== 'cdn-loop') continue
    for (const info of value.split(',')) {
      const [id = ''] = info.split(';', 1)
      if (id.trim().toLowerCase() === own) passes += 1
    }
  }
  return passes >= passLimit
}
