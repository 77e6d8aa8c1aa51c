import type { Duplex } from 'node:stream'
import type { Route } from '@homeport/contract/control'
import { toTunnelError } from '@homeport/tunnel'
import { flowHeadOf } from '../sessions/flow-head.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { createHeadReader } from '../visitors/head-reader.ts'
import { createHeadRewrite } from '../visitors/head-rewrite.ts'
import { doorLimits } from '../visitors/limits.ts'
import { Refusal } from '../visitors/refusal.ts'
import { parseResponseHead } from '../visitors/response-head.ts'
import { deviceFaults, hintOf } from './probe-hints.ts'

/** One step of a probe, as the control link tells it. */
export interface ProbeStep {
  readonly step: 'device' | 'target' | 'response'
  /** Null where it was not reached. */
  readonly ok: boolean | null
  readonly ms: number | null
  readonly code: string
  readonly hint: string
}

/** What a probe works with. */
export interface ProbeParts {
  readonly sessions: Pick<Sessions, 'open' | 'roundTripOf'>
  nextFlow(): string
  monotonicMs(): number
  /** For reaching the target, and again for its answer. */
  readonly timeoutMs?: number
}

// The server waits for the whole probe: both waits together stay below the 10 s of a page that shows progress.
const defaultTimeoutMs = 4_500

const passed = (step: ProbeStep['step'], ms: number): ProbeStep => ({
  step,
  ok: true,
  ms: Math.round(ms * 10) / 10,
  code: 'ok',
  hint: '',
})
const failed = (step: ProbeStep['step'], ms: number | null, code: string): ProbeStep => ({
  step,
  ok: false,
  ms: ms === null ? null : Math.round(ms),
  code,
  hint: hintOf(code),
})
const unreached = (step: ProbeStep['step']): ProbeStep => ({
  step,
  ok: null,
  ms: null,
  code: '',
  hint: '',
})

/** Sends a real request the way a visitor's goes, and tells how far it came. Never rejects for what a home does. */
export async function probeRoute(parts: ProbeParts, route: Route): Promise<ProbeStep[]> {
  const { sessions, monotonicMs, timeoutMs = defaultTimeoutMs } = parts
  const roundTripMs = sessions.roundTripOf(route.device)
  if (roundTripMs === null) {
    return [failed('device', null, 'device_offline'), unreached('target'), unreached('response')]
  }
  const startedAt = monotonicMs()
  let stream: Duplex
  try {
    stream = await sessions.open(route.device, flowHeadOf(route, parts.nextFlow()), { timeoutMs })
  } catch (cause) {
    const { code } = toTunnelError(cause)
    const ms = monotonicMs() - startedAt
    // An agent that says nothing at all is not there, whatever its link looks like.
    if (deviceFaults.has(code)) {
      return [failed('device', ms, code), unreached('target'), unreached('response')]
    }
    return [passed('device', roundTripMs), failed('target', ms, code), unreached('response')]
  }
  const connectedAt = monotonicMs()
  const steps = [passed('device', roundTripMs), passed('target', connectedAt - startedAt)]
  try {
    if (route.kind === 'http') await readAnswer(stream, route, timeoutMs)
    return [...steps, passed('response', monotonicMs() - connectedAt)]
  } catch (cause) {
    const code = cause instanceof Refusal ? cause.code : 'internal'
    return [...steps, failed('response', monotonicMs() - connectedAt, code)]
  } finally {
    stream.destroy()
  }
}

function readAnswer(stream: Duplex, route: Route, timeoutMs: number): Promise<void> {
  const { target, options } = route
  const { host } = createHeadRewrite({ target, hostHeader: options.host_header })
  const reader = createHeadReader(doorLimits, 'response')
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('target_silent'), timeoutMs)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      stream.off('data', onData)
      act()
    }
    const fail = (code: 'target_silent' | 'target_failed') =>
      settle(() => reject(new Refusal(code, 'no answer')))
    const onData = (chunk: Buffer) => {
      try {
        const text = reader.read(chunk)
        if (text === null) return
        parseResponseHead(text, 'GET', doorLimits)
        settle(resolve)
      } catch (cause) {
        settle(() => reject(cause))
      }
    }
    stream.on('data', onData)
    for (const event of ['error', 'close', 'end']) stream.once(event, () => fail('target_failed'))
    stream.write(
      `GET / HTTP/1.1\r\nHost: ${host ?? route.host}\r\nUser-Agent: Homeport-Check\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    )
  })
}
