import type { DeviceSession } from '@homeport/contract/control'

/** A device's session and the link of the relay that carries it. */
export interface Presence<Link> {
  readonly session: DeviceSession
  readonly link: Link
}

/** Which device is online where; `onChange` is told of every device that came (its presence) or went (null). */
export interface PresenceBook<Link> {
  open(link: Link, session: DeviceSession): void
  /** Ends this very session; a late word about an older one changes nothing. */
  close(link: Link, uid: string, session: string): void
  /** A relay's complete list: what it does not name has gone. */
  replace(link: Link, sessions: readonly DeviceSession[]): void
  /** The link is gone, and everybody on it. */
  drop(link: Link): void
  find(uid: string): Presence<Link> | undefined
  count(link: Link): number
}

/** Makes an empty book. */
export function createPresenceBook<Link>(
  onChange: (uid: string, presence: Presence<Link> | null) => void,
): PresenceBook<Link> {
  const byDevice = new Map<string, Presence<Link>>()

  function open(link: Link, session: DeviceSession): void {
    // A device that comes back before its old session was missed: the newer one counts.
    const presence = { link, session }
    byDevice.set(session.device, presence)
    onChange(session.device, presence)
  }

  function leave(uid: string): void {
    byDevice.delete(uid)
    onChange(uid, null)
  }

  const ofLink = (link: Link) => [...byDevice].filter(([, presence]) => presence.link === link)

  return {
    open,
    close(link, uid, session) {
      const presence = byDevice.get(uid)
      if (presence?.link === link && presence.session.session === session) leave(uid)
    },
    replace(link, sessions) {
      const named = new Set(sessions.map(({ device }) => device))
      for (const [uid] of ofLink(link)) if (!named.has(uid)) leave(uid)
      for (const session of sessions) open(link, session)
    },
    drop(link) {
      for (const [uid] of ofLink(link)) leave(uid)
    },
    find: uid => byDevice.get(uid),
    count: link => ofLink(link).length,
  }
}
