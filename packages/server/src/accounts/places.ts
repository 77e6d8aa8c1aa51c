import { isIP } from 'node:net'
import type { UserSession } from '@homeport/contract'
import { limitKeyOf } from '../http/request-facts.ts'

const plainOf = (address: string) => /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')

// RFC 1918, RFC 6598 (shared by a provider's customers), RFC 3927, RFC 4193, RFC 4291 section 2.5.6.
const privateRanges =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i

/**
 * What an address tells by itself; no list of places is asked. The network of `here`, where the asker is now, is known as
 * the same. The end of a public address is left out: whoever sits at a session that is not theirs must not learn it.
 */
export function describePlace(
  address: string,
  here: string,
): Pick<UserSession, 'address' | 'network'> {
  const plain = plainOf(address)
  if (isLoopback(plain)) return { address: plain, network: 'loopback' }
  if (privateRanges.test(plain)) return { address: plain, network: 'private' }
  const network = limitKeyOf(address) === limitKeyOf(here) ? 'same' : 'public'
  return { address: maskAddress(plain), network }
}

function maskAddress(plain: string): string {
  if (isIP(plain) === 4) return plain.replace(/\d+$/, '*')
  if (isIP(plain) !== 6) return ''
  const prefix = limitKeyOf(plain).split(':').slice(0, 3)
  return `${prefix.join(':')}::*`
}
