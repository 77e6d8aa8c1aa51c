import type { DeviceSession } from '@homeport/contract/control'
import type {
  AgentMessage,
  FlowHead,
  LinkHello,
  Muxer,
  RelayMessage,
  YamuxStream,
} from '@homeport/tunnel'
import { type BoundedMap, createBoundedMap } from '../routing/bounded-map.ts'

/** A visitor's flow to a device. */
export interface DeviceFlow {
  readonly head: FlowHead
  /** What its visitor's side holds, whatever links it goes over. It says `leaving` when the agent leaves the one it goes over now. */
  readonly stream: YamuxStream
  /** Moves to another link that it may still make; none where the agent did not agree to one. */
  movesLeft: number
}

/** One connection of a device. */
export interface Link {
  readonly muxer: Muxer
  /** The flows that go over it, by their stream on this link. */
  readonly flows: Map<YamuxStream, DeviceFlow>
  /** Flows that are on their way to it. */
  arriving: number
  send(message: RelayMessage): void
  /** Flows opened on it so far, and how many there were at the last look for idle links. */
  flowsOpened: number
  flowsSeen: number
}

/** One device's presence: the links of one agent process. */
export interface Session {
  facts: DeviceSession
  readonly links: Set<Link>
  /** When the agent was last asked for more links; monotonic milliseconds. */
  askedAt: number
}

/** What is remembered of a device while it has a session. */
export interface Device {
  session: Session
  /**
   * Session ids that a newer one took over from. They are refused while the newer one lives, so that two machines
   * with one disk image do not throw each other out for ever.
   */
  readonly replaced: BoundedMap<string, true>
}

/** Ids kept of replaced sessions of one device; an agent process makes a new one only when it starts. */
const replacedLimit = 16

/** Makes a session that has no link yet. */
export const createSession = (facts: DeviceSession): Session => ({
  facts,
  links: new Set(),
  askedAt: Number.NEGATIVE_INFINITY,
})

/** Makes a device with its first session. */
export const createDevice = (facts: DeviceSession): Device => ({
  session: createSession(facts),
  replaced: createBoundedMap(replacedLimit),
})

/** Would a new flow on this link wait behind something? */
export const isLinkLoaded = ({ muxer }: Link): boolean => muxer.bulkCount > 0 || muxer.isCongested

/** What an agent said of itself, cut to the lengths of the control link: it is text of a stranger. */
export function readFacts(hello: LinkHello, publicIp: string, now: number): DeviceSession {
  return {
    device: hello.device,
    session: hello.session,
    agent_version: hello.agentVersion.slice(0, 32),
    model: hello.model.slice(0, 64),
    public_ip: publicIp.slice(0, 64),
    lan_ip: (hello.lanIp ?? '').slice(0, 64),
    connected_at: now,
  }
}

/** The facts with what an agent has told since. */
export const updateFacts = (facts: DeviceSession, message: AgentMessage): DeviceSession => ({
  ...facts,
  agent_version: message.agentVersion.slice(0, 32),
  model: message.model.slice(0, 64),
  lan_ip: (message.lanIp ?? '').slice(0, 64),
})

/** The open link with the fewest streams, one without a bulk transfer if there is one; null where all are closing. */
export function pickLink(session: Session): Link | null {
  let best: Link | null = null
  for (const link of session.links) {
    if (link.muxer.isOpen && (best === null || isBetter(link, best))) best = link
  }
  return best
}

function isBetter(link: Link, than: Link): boolean {
  const isLoaded = isLinkLoaded(link)
  if (isLoaded !== isLinkLoaded(than)) return !isLoaded
  return link.muxer.streamCount < than.muxer.streamCount
}
