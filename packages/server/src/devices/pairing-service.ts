import { createHash } from 'node:crypto'
import type { getPairing, getPairingInfo, startPairing } from '@homeport/contract'
import { createRandomId } from '@homeport/runtime'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Accounts } from '../accounts/service.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { AppError } from '../http/app-error.ts'
import {
  completePairing,
  countWaiting,
  deleteExpired,
  findPairing,
  insertPairing,
  lockPairing,
  noteIssuedToken,
  useSignedToken,
} from './pairing-store.ts'
import { deviceLimit, pairingLifetimeMs, waitingLimit, waitingLimitPerAddress } from './policy.ts'
import { isSignedToken, readSignedToken, signEnrolment } from './signed-token.ts'
import {
  countDevices,
  type DeviceFacts,
  findDevice,
  insertDevice,
  lockOwner,
  refreshDevice,
  type StoredDevice,
} from './store.ts'

type Db = Kysely<Database>
type Answer<
  C extends { responses: Record<number, z.ZodType> },
  S extends keyof C['responses'],
> = C['responses'][S] extends z.ZodType ? z.output<C['responses'][S]> : never

/** Binds devices to accounts. */
export interface PairingService {
  /** A signed form of the user's token: single use, 10 minutes. */
  signToken(owner: UserId): Promise<{ token: string; expires_at: string }>
  /** Binds by a token or its signed form; the same key gives the owner the same device. */
  pair(token: string, facts: DeviceFacts, address: string): Promise<{ uid: string }>
  /** Lets a device without a token wait; `origin` is the console as the device reached it. */
  start(
    facts: DeviceFacts,
    from: { address: string; limitKey: string; origin: string },
  ): Promise<Answer<typeof startPairing, 201>>
  status(pairing: string): Promise<Answer<typeof getPairing, 200>>
  info(pairing: string): Promise<Answer<typeof getPairingInfo, 200>>
  bind(owner: UserId, pairing: string): Promise<StoredDevice>
}

const factsOf = ({ public_key, name, model, agent, agent_version }: DeviceFacts): DeviceFacts => ({
  public_key,
  name,
  model,
  agent,
  agent_version,
})

const toInstant = (epochMs: number) => new Date(epochMs).toISOString()
const hashOf = (pairing: string) => createHash('sha256').update(pairing).digest('base64url')

/** Makes the rules of pairing. */
export function createPairingService(
  { db, clock, keys, bus }: Pick<ServerContext, 'db' | 'clock' | 'keys' | 'bus'>,
  accounts: Pick<Accounts, 'findUserByToken' | 'fingerprintOf'>,
): PairingService {
  /**
   * The owner's device with this key, made where there is none; the caller holds the owner's lock. Undefined where the
   * key is somebody else's: it stays theirs until they unbind it, so nobody takes a device over by its public key.
   */
  async function bindKey(
    tx: Db,
    owner: UserId,
    facts: DeviceFacts,
    address: string,
  ): Promise<StoredDevice | undefined> {
    const known = await refreshDevice(tx, owner, facts)
    if (known !== undefined) return known
    if ((await countDevices(tx, owner)) >= deviceLimit) throw new AppError('device_limit')
    return insertDevice(tx, owner, {
      ...facts,
      uid: createRandomId(),
      created_at: clock.now(),
      public_ip: address,
    })
  }

  async function readToken(text: string) {
    if (!isSignedToken(text)) return { owner: await accounts.findUserByToken(text), signed: null }
    const signed = readSignedToken(keys.tokenSign, text, clock.now())
    if (signed === null) return { owner: null, signed }
    const current = await accounts.fingerprintOf(signed.user)
    const isCurrent = current?.fingerprint === signed.fingerprint
    return { owner: isCurrent ? current.userId : null, signed }
  }

  async function findLive(pairing: string) {
    const row = await findPairing(db, hashOf(pairing), clock.now())
    if (row === undefined) throw new AppError('pairing_not_found')
    return row
  }

  return {
    async signToken(owner) {
      const current = await accounts.fingerprintOf(owner)
      if (current === null) throw new AppError('not_signed_in')
      await deleteExpired(db, clock.now())
      const { text, id, expiresAt } = signEnrolment(keys.tokenSign, {
        user: owner,
        fingerprint: current.fingerprint,
        now: clock.now(),
      })
      await noteIssuedToken(db, owner, { id, expires_at: expiresAt })
      return { token: text, expires_at: toInstant(expiresAt) }
    },

    async pair(token, facts, address) {
      const { owner, signed } = await readToken(token)
      if (owner === null) throw new AppError('pairing_token_invalid')
      await deleteExpired(db, clock.now())
      const device = await db.transaction().execute(async tx => {
        await lockOwner(tx, owner)
        // In the same transaction as the device: a pairing that is refused leaves the token usable.
        const isFirstUse =
          signed === null ||
          (await useSignedToken(tx, owner, { id: signed.id, expires_at: signed.expiresAt }))
        if (!isFirstUse) throw new AppError('pairing_token_invalid')
        const device = await bindKey(tx, owner, facts, address)
        if (device !== undefined) return device
        throw new AppError('invalid_input', { errors: [{ path: 'public_key', code: 'taken' }] })
      })
      bus.emit(owner, { type: 'router_changed', id: device.id })
      return { uid: device.uid }
    },

    async start(facts, { address, limitKey, origin }) {
      const now = clock.now()
      await deleteExpired(db, now)
      // Counted before the insert: devices that ask at the same moment may pass by a few, bounded by the rate limit.
      if ((await countWaiting(db, limitKey)) >= waitingLimitPerAddress) {
        throw new AppError('rate_limited', { retryAfterSeconds: pairingLifetimeMs / 1000 })
      }
      if ((await countWaiting(db)) >= waitingLimit) throw new AppError('busy')
      const pairing = createRandomId()
      const expiresAt = now + pairingLifetimeMs
      await insertPairing(db, {
        ...facts,
        id_hash: hashOf(pairing),
        address,
        limit_key: limitKey,
        created_at: now,
        expires_at: expiresAt,
        device_id: null,
      })
      const url = `${origin}/#/bind?pairing=${pairing}`
      return { pairing, url, expires_at: toInstant(expiresAt) }
    },

    async status(pairing) {
      const row = await findLive(pairing)
      return { uid: row.uid, expires_at: toInstant(row.expires_at) }
    },

    async info(pairing) {
      const row = await findLive(pairing)
      return {
        name: row.name,
        model: row.model,
        agent: row.agent,
        agent_version: row.agent_version,
        address: row.address,
        bound: row.device_id !== null,
        expires_at: toInstant(row.expires_at),
      }
    },

    async bind(owner, pairing) {
      const idHash = hashOf(pairing)
      const device = await db.transaction().execute(async tx => {
        await lockOwner(tx, owner)
        const row = await lockPairing(tx, idHash, clock.now())
        if (row === undefined) throw new AppError('pairing_not_found')
        const device =
          row.device_id === null
            ? await bindKey(tx, owner, factsOf(row), row.address)
            : await findDevice(tx, owner, row.device_id)
        // The pairing, or its key, is somebody else's by now.
        if (device === undefined) throw new AppError('pairing_not_found')
        await completePairing(tx, owner, idHash, device.id)
        return device
      })
      bus.emit(owner, { type: 'router_changed', id: device.id })
      return device
    },
  }
}
