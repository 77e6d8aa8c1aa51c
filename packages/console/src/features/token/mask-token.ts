/**
 * The token as it may stand on a screen that others see: its first and last four characters, which tell two tokens apart
 * and leave the rest of a UUID (24 of 32 digits) unguessable. Short texts are hidden whole.
 */
export function maskToken(token: string): string {
  if (token.length < 16) return '••••••••'
  return `${token.slice(0, 4)}••••${token.slice(-4)}`
}
