import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { type SsoRequest, ssoCategoryOf } from '@homeport/contract'
import type { Sessions } from '../accounts/sessions.ts'
import { recentMs } from '../accounts/sessions.ts'
import { parseUserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { limitKeyOf } from '../http/request-facts.ts'
import type { SsoBegin } from '../sso/adapter.ts'
import { bindingOf } from './binding.ts'
import type { SsoEvents } from './events.ts'
import {
  answerRequest,
  claimRequest,
  deleteOldRequests,
  deleteRequestsOf,
  findByState,
  insertRequest,
  type StoredRequest,
  takeCode,
} from './store.ts'

/** A request is answered within this many ms, or never. */
export const requestMs = 5 * 60 * 1000

/** The code of a confirmed request lives this long in ms: the browser that waits trades it in at once. */
export const codeMs = 60 * 1000

/** A request is remembered this long in ms after its end, so that its page says what became of it. */
const rememberedMs = 60 * 60 * 1000

/** How a request stands, for the page of the browser that began it. */
export type RequestState =
  | { kind: 'waiting'; id: string; number: string; expiresAt: number; category: string }
  | { kind: 'confirmed'; code: string }
  | { kind: 'refused' }
  | { kind: 'over' }
  /** Another browser asks: the phone that scanned the address. */
  | { kind: 'elsewhere'; id: string }
  | { kind: 'unknown' }

/** A code that a browser came back with. */
export interface GivenCode {
  code: string
  state: string
  codeVerifier: string
  redirectUri: string
}

/** Our own provider of sign-ons: a browser asks, a person who is signed in elsewhere answers. */
export interface SsoProviderService {
  /** Keeps a request for the browser that begins. */
  begin(begin: SsoBegin): Promise<void>
  /** How the request of a state stands for a browser. The address to come back to has to be the one it began with. */
  look(input: { state: string; redirectUri: string; browserKey: string }): Promise<RequestState>
  /** Gives the request to the account, if nobody was first; throws `sso_request_gone`. */
  open(actor: Actor, id: string, address: string): Promise<SsoRequest>
  /** Once; throws `sso_request_gone`. */
  confirm(actor: Actor, id: string): Promise<void>
  /** Once; throws `sso_request_gone`. */
  refuse(actor: Actor, id: string): Promise<void>
  /** Trades a code in, once; throws `sso_refused`. */
  redeem(given: GivenCode): Promise<{ userId: number; epoch: number; authenticatedAt: number }>
  /** Ends all that a browser began. */
  forget(browserKey: string): Promise<void>
  removeOld(): Promise<void>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Makes the service. */
export function createSsoProvider(
  { db, clock, keys }: Pick<ServerContext, 'db' | 'clock' | 'keys'>,
  { events, sessions }: { events: SsoEvents; sessions: Pick<Sessions, 'isLive' | 'epochOf'> },
): SsoProviderService {
  const bind = (browserKey: string) => bindingOf(keys.ssoBrowser, browserKey)

  // The phone is shown another name than the one the browser comes back with, and neither leads to the other.
  const idOf = (state: string) =>
    createHmac('sha256', keys.ssoBrowser)
      .update(`request\n${state}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url')

  async function stateOf(row: StoredRequest, state: string): Promise<RequestState> {
    if (row.answer === 'refused') return { kind: 'refused' }
    const now = clock.now()
    if (row.answer === 'confirmed') {
      if (row.code_used_at !== null || now >= (row.code_expires_at ?? 0)) return { kind: 'over' }
      const told = (await events.list(row)).find(event => event.state === 'confirmed')
      return told === undefined ? { kind: 'over' } : { kind: 'confirmed', code: told.code }
    }
    if (now >= row.expires_at) return { kind: 'over' }
    const { number, category, expires_at: expiresAt } = row
    return { kind: 'waiting', id: idOf(state), number, category, expiresAt }
  }

  return {
    async begin({ flowId, state, codeChallenge, redirectUri, expiresAt, browserKey, request }) {
      const now = clock.now()
      await deleteOldRequests(db, now - rememberedMs)
      await insertRequest(db, {
        state_hash: sha256(state),
        id_hash: sha256(idOf(state)),
        category: ssoCategoryOf(flowId),
        binding: bind(browserKey),
        code_challenge: codeChallenge,
        redirect_uri: redirectUri,
        number: String(randomInt(10_000)).padStart(4, '0'),
        address: request.address,
        user_agent: request.userAgent,
        created_at: now,
        expires_at: expiresAt,
      })
    },

    async look({ state, redirectUri, browserKey }) {
      const row = await findByState(db, sha256(state))
      if (row === undefined || row.redirect_uri !== redirectUri) return { kind: 'unknown' }
      if (row.binding === bind(browserKey)) return stateOf(row, state)
      return { kind: 'elsewhere', id: idOf(state) }
    },

    async open(actor, id, address) {
      const claimed = await claimRequest(db, actor.userId, {
        idHash: sha256(id),
        now: clock.now(),
      })
      if (claimed === undefined) throw new AppError('sso_request_gone')
      const { request, isFirst } = claimed
      if (isFirst) await events.publish(request, { state: 'scanned', number: request.number })
      return {
        number: request.number,
        user_agent: request.user_agent,
        address: request.address,
        is_same_network: limitKeyOf(address) === limitKeyOf(request.address),
        created_at: new Date(request.created_at).toISOString(),
        expires_at: new Date(request.expires_at).toISOString(),
      }
    },

    async confirm(actor, id) {
      const now = clock.now()
      const code = randomBytes(32).toString('base64url')
      const request = await answerRequest(
        db,
        actor.userId,
        { idHash: sha256(id), now },
        {
          answer: 'confirmed',
          session_id: actor.sessionId,
          authenticated_at: actor.recentUntil - recentMs,
          code_hash: sha256(code),
          code_expires_at: now + codeMs,
        },
      )
      if (request === undefined) throw new AppError('sso_request_gone')
      await events.publish(request, { state: 'confirmed', code })
    },

    async refuse(actor, id) {
      const place = { idHash: sha256(id), now: clock.now() }
      const request = await answerRequest(db, actor.userId, place, { answer: 'refused' })
      if (request === undefined) throw new AppError('sso_request_gone')
      await events.publish(request, { state: 'denied' })
    },

    async redeem({ code, state, codeVerifier, redirectUri }) {
      const codeHash = sha256(code)
      // Right or wrong, the code is used up: whoever guesses a verifier has one try.
      const row = await takeCode(db, { codeHash, stateHash: sha256(state), now: clock.now() })
      const isFitting =
        row !== undefined &&
        row.code_challenge === sha256(codeVerifier) &&
        row.redirect_uri === redirectUri
      const {
        user_id: userId,
        session_id: sessionId,
        authenticated_at: authenticatedAt,
      } = row ?? {}
      if (!isFitting || sessionId == null || userId == null) throw new AppError('sso_refused')
      // A session that was ended meanwhile, by a new password say, lets nobody in any more; its end after this look ends the epoch.
      const epoch = await sessions.epochOf(parseUserId(userId))
      if (!(await sessions.isLive(sessionId))) throw new AppError('sso_refused')
      return { userId, epoch, authenticatedAt: authenticatedAt ?? 0 }
    },

    async forget(browserKey) {
      const binding = bind(browserKey)
      await deleteRequestsOf(db, binding)
      await events.forget(binding)
    },

    removeOld: () => deleteOldRequests(db, clock.now() - rememberedMs),
  }
}
