import { TunnelError } from '@homeport/tunnel'
import { createBoundedMap } from '../routing/bounded-map.ts'

// A revocation is pushed, so an hour-old key of a device is only ever used while the server is away.
const freshMs = 60_000
const staleMs = 60 * 60 * 1000
// 20,000 devices, about 200 bytes each.
const keyLimit = 20_000
/** Questions in flight; handshakes beyond are told to come later. */
const askLimit = 256

/** What a handshake needs to know of a device. */
export interface FoundDevice {
  readonly publicKey: string
}

/** Looks up public keys of devices, from memory where it can. */
export interface DeviceKeys {
  /** Null where the device is unknown or revoked. Throws TunnelError `relay_busy` where nobody can tell. */
  find(device: string): Promise<FoundDevice | null>
  /** The key died: it is not used again, not even while the server is away. */
  forget(device: string): void
  /** Is this still the device's key, as far as was heard? What was looked up before a revocation is not. */
  isCurrent(device: string, found: FoundDevice): boolean
  /** All are asked anew: revocations may have been missed. */
  expireAll(): void
}

interface Known {
  readonly found: FoundDevice
  readonly askedAt: number
  readonly epoch: number
}

/** Makes a look-up. `ask` rejects where the server does not answer. */
export function createDeviceKeys(parts: {
  ask(device: string): Promise<{ public_key: string } | 'suspended' | null>
  now(): number
}): DeviceKeys {
  const known = createBoundedMap<string, Known>(keyLimit)
  const asking = new Map<string, Promise<FoundDevice | null>>()
  /** Devices whose answer in flight was overtaken by a revocation. */
  const overtaken = new Set<string>()
  let epoch = 0

  async function ask(device: string): Promise<FoundDevice | null> {
    const askedIn = epoch
    try {
      const answer = await parts.ask(device)
      // What was overtaken may be either: the agent comes back and the server is asked again.
      if (overtaken.has(device)) throw new Error('overtaken by a revocation')
      if (typeof answer !== 'object' || answer === null) known.delete(device)
      if (answer === null) return null
      // Told to come later, so that it comes back by itself when its owner does.
      if (answer === 'suspended') throw new Error('the device is suspended')
      const found = { publicKey: answer.public_key }
      known.set(device, { found, askedAt: parts.now(), epoch: askedIn })
      return found
    } catch (cause) {
      const last = known.get(device)
      if (last !== undefined && parts.now() - last.askedAt < staleMs) return last.found
      throw new TunnelError('relay_busy', { detail: 'devices cannot be looked up now', cause })
    } finally {
      asking.delete(device)
      overtaken.delete(device)
    }
  }

  return {
    async find(device) {
      const last = known.get(device)
      if (last !== undefined && last.epoch === epoch && parts.now() - last.askedAt < freshMs) {
        return last.found
      }
      const running = asking.get(device)
      if (running !== undefined) return running
      if (asking.size >= askLimit) throw new TunnelError('relay_busy', { detail: 'too many ask' })
      const answer = ask(device)
      asking.set(device, answer)
      return answer
    },
    forget(device) {
      known.delete(device)
      if (asking.has(device)) overtaken.add(device)
    },
    isCurrent: (device, found) => known.get(device)?.found.publicKey === found.publicKey,
    expireAll() {
      epoch += 1
    },
  }
}
