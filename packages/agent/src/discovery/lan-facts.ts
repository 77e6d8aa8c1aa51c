import { arch, hostname, networkInterfaces, platform, release } from 'node:os'
import ipaddr from 'ipaddr.js'

/** What the agent tells of its machine. */
export interface LanFacts {
  hostname: string
  /** Such as `linux 6.1 x64`. */
  model: string
  /** First private IPv4 address, else the first private IPv6 one, else empty. */
  lanAddress: string
}

const isPrivate = (address: string) =>
  ['private', 'uniqueLocal'].includes(ipaddr.process(address).range())

/** Reads them from the operating system. */
export function readLanFacts(): LanFacts {
  const addresses = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(entry => !entry.internal && !entry.address.includes('%') && isPrivate(entry.address))
  const chosen = addresses.find(entry => entry.family === 'IPv4') ?? addresses[0]
  const version = release().split('.').slice(0, 2).join('.')
  return {
    hostname: hostname().slice(0, 64) || 'device',
    model: `${platform()} ${version} ${arch()}`.slice(0, 64),
    lanAddress: chosen?.address ?? '',
  }
}
