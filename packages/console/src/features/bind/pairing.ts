import { getPairingInfo } from '@homeport/contract'

/** True for what can be the name of a pairing request: 128 random bits, base64url. */
export const isPairing = (text: string): boolean =>
  getPairingInfo.query.safeParse({ pairing: text }).success
