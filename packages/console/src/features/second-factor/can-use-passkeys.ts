/** True where the browser has passkeys and would use them here: in a secure context, and not under an address of numbers. */
export function canUsePasskeys(): boolean {
  const { hostname } = window.location
  const isNumbers = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return window.isSecureContext && 'PublicKeyCredential' in window && !isNumbers
}
