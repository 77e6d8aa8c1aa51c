import type { Duplex } from 'node:stream'
import type { Route } from '@homeport/contract/control'
import { type TunnelErrorCode, toTunnelError } from '@homeport/tunnel'
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
  readonly timeoutMs: number
}

/** How long an agent may take to refuse what it need not dial. */
const pingTimeoutMs = 1_500

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
  const { sessions, monotonicMs, timeoutMs } = parts
  const roundTripMs = sessions.roundTripOf(route.device)
  if (roundTripMs === null) {
    return [failed('device', null, 'device_offline'), unreached('target'), unreached('response')]
  }
  const startedAt = monotonicMs()
  let stream: Duplex
  try {
    stream = await sessions.open(route.device, flowHeadOf(route, parts.nextFlow()), { timeoutMs })
  } catch (cause) {
    const ms = monotonicMs() - startedAt
    const code = await blame(parts, route, toTunnelError(cause).code)
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

/**
 * Whether a silence was the target's or the agent's: an agent that still waits for its target refuses at once what
 * is no target at all. One that does not is not there, whatever its link looks like.
 */
async function blame({ sessions, nextFlow }: ProbeParts, route: Route, code: TunnelErrorCode) {
  if (code !== 'flow_timeout') return code
  const head = { record: route.record, target: 'ping:', flow: nextFlow() }
  try {
    const stream = await sessions.open(route.device, head, { timeoutMs: pingTimeoutMs })
    stream.destroy()
    return 'target_timeout'
  } catch (cause) {
    return deviceFaults.has(toTunnelError(cause).code) ? code : 'target_timeout'
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
