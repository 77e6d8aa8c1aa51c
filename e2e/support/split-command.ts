/** Splits a POSIX shell command as a shell would: line continuations, single quotes, backslashes. */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | null = null
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? ''
    if (sign === '\\' && text[i + 1] === '\n') i++
    else if (/\s/.test(sign)) {
      if (word !== null) words.push(word)
      word = null
    } else if (sign === "'") {
      const end = text.indexOf("'", i + 1)
      if (end < 0) throw new Error(`an open quote in ${text}`)
      word = (word ?? '') + text.slice(i + 1, end)
      i = end
    } else if (sign === '\\') word = (word ?? '') + (text[++i] ?? '')
    else word = (word ?? '') + sign
  }
  if (word !== null) words.push(word)
  return words
}
