// Parsers of option values. Each throws an Error that ends the sentence "<flag> (<env>) …" with what is expected.

/** Any text that is not empty. */
export function parseText(text: string): string {
  if (text === '') throw new Error('must not be empty')
  return text
}

/** A whole number between two bounds, both included. */
export function parseInteger(min: number, max: number): (text: string) => number {
  return text => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return value
  }
}

/** A range of ports such as 20000-20999, or one port. */
export function parsePortRange(text: string): { first: number; last: number } {
  const [firstText = '', lastText = firstText, ...rest] = text.split('-')
  const parse = parseInteger(1, 65_535)
  try {
    const range = { first: parse(firstText), last: parse(lastText) }
    if (rest.length === 0 && range.first <= range.last) return range
  } catch {
    // Told below: the message of one bound would not say how a range is written.
  }
  throw new Error('must be a range of ports such as 20000-20999')
}

/** on, true, yes, 1 or off, false, no, 0. */
export function parseBoolean(text: string): boolean {
  const word = text.toLowerCase()
  if (['on', 'true', 'yes', '1'].includes(word)) return true
  if (['off', 'false', 'no', '0'].includes(word)) return false
  throw new Error('must be on or off')
}

/** One of the given words. */
export function parseChoice<const Word extends string>(
  ...words: readonly Word[]
): (text: string) => Word {
  return text => {
    const found = words.find(word => word === text)
    if (found === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return found
  }
}

/** An absolute address with one of the given schemes and without a user name or password in it. */
export function parseUrl(...schemes: readonly string[]): (text: string) => URL {
  return text => {
    const url = URL.parse(text)
    if (url === null || !schemes.includes(url.protocol.slice(0, -1))) {
      throw new Error(
        `must be an address that begins with ${schemes.map(s => `${s}://`).join(' or ')}`,
      )
    }
    if (url.username !== '' || url.password !== '') {
      throw new Error('must not carry a user name or a password')
    }
    return url
  }
}

/** Values separated by commas; an empty text is an empty list. */
export function parseList<Item>(parseItem: (text: string) => Item): (text: string) => Item[] {
  return text =>
    text
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '')
      .map(parseItem)
}
