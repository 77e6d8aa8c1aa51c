const plainWord = /^[A-Za-z0-9_./:@%+=,-]+$/

/**
 * One word of a POSIX shell command (POSIX.1-2024 XCU 2.2.2): inside single quotes every character stands for itself, a
 * single quote itself is closed, escaped and opened again. Control characters are dropped: pasted into a terminal a
 * newline would start a command of its own.
 */
export function quoteForPosix(word: string): string {
  const printable = dropControls(word)
  return plainWord.test(printable) ? printable : `'${printable.replaceAll("'", "'\\''")}'`
}

// No character in here means anything between double quotes to PowerShell or to cmd.exe.
const safeOnWindows = /^[\p{L}\p{N} _./:@+=,[\]-]*$/u

/**
 * One word of a Windows command, or null where it cannot be written: PowerShell and cmd.exe read `$`, backticks, `%`, `&`
 * and quotes differently, and npm's starter passes through both, so no quoting is right for all of them.
 */
export function quoteForWindows(word: string): string | null {
  if (!safeOnWindows.test(word)) return null
  return /^[A-Za-z0-9_./:=-]+$/.test(word) ? word : `"${word}"`
}

const dropControls = (text: string) => text.replace(/\p{Cc}/gu, '')
