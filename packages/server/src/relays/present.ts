import type { Server } from '@homeport/contract'
import type { Language } from '../http/language.ts'
import { builtInRelayId, type RelayHub } from './hub.ts'

/** Devices at which the built-in relay counts as full: about 600 MB at 60 KiB for an idle one. */
const sessionCapacity = 10_000

/** The relay that runs with the server, as the user sees it; `origin` is the console as the caller reached it. */
export function presentBuiltInRelay(
  hub: Pick<RelayHub, 'anyRelayOnline' | 'countSessions'>,
  { origin, language }: { origin: string; language: Language },
): Server {
  return {
    id: builtInRelayId,
    name: language === 'zh' ? '默认线路' : 'Default relay',
    region: '',
    host: new URL(origin).hostname,
    online: hub.anyRelayOnline(),
    load: Math.min(1, hub.countSessions() / sessionCapacity),
    latency_url: `${origin}/healthz`,
  }
}
