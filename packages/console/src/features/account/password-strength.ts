/** How well a new password would hold: a hint, the server decides what it takes. */
export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong'

const leastLength = 8

/**
 * Rates by length and variety, as NIST SP 800-63B 3.1.1 weighs them: length counts most, rules about kinds of characters
 * little. A password that is mostly the user name, one repeated pattern or a run of neighbours is weak at any length.
 */
export function ratePassword(password: string, username: string): PasswordStrength {
  if (password.length < leastLength) return 'short'
  const lower = password.toLowerCase()
  const withoutName = username === '' ? lower : lower.replaceAll(username.toLowerCase(), '')
  const variety = new Set(withoutName).size
  if (withoutName.length < 6 || variety < 5 || isRun(withoutName)) return 'weak'
  if (password.length >= 16 && variety >= 8) return 'strong'
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter(kind => kind.test(password)).length
  if (password.length >= 12 && kinds >= 3) return 'strong'
  return password.length >= 10 && kinds >= 2 ? 'fair' : 'weak'
}

// "12345678", "abcdefgh", "87654321": every character follows its neighbour by the same single step.
function isRun(text: string): boolean {
  const step = text.charCodeAt(1) - text.charCodeAt(0)
  if (Math.abs(step) !== 1) return false
  for (let index = 1; index < text.length; index += 1) {
    if (text.charCodeAt(index) - text.charCodeAt(index - 1) !== step) return false
  }
  return true
}
