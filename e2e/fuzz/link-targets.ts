import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import {
  encodeAgentMessage,
  encodeRelayMessage,
  parseAgentMessage,
  parseRelayMessage,
} from '../../packages/tunnel/src/control/messages.ts'
import { TunnelError, type TunnelErrorCode } from '../../packages/tunnel/src/errors.ts'
import { encodeFlowHead, parseFlowHead } from '../../packages/tunnel/src/flow/head.ts'
import {
  encodeAnswer,
  encodeChallenge,
  encodeHello,
  parseAnswer,
  parseChallenge,
  parseHello,
} from '../../packages/tunnel/src/handshake/messages.ts'
import {
  checkUpgradeAnswer,
  encodeUpgradeAnswer,
} from '../../packages/tunnel/src/handshake/upgrade.ts'
import {
  createFrameReader,
  encodeFrameHeader,
  OP_BINARY,
  OP_CLOSE,
  OP_CONTINUATION,
  OP_PING,
} from '../../packages/tunnel/src/websocket/frames.ts'
import { Decoder } from '../../packages/tunnel/src/yamux/decode.ts'
import { below, mutate, noise, pick, type Random, split } from './bytes.ts'
import { frameWords, makeFrames } from './frame-bytes.ts'
import type { FuzzTarget } from './run.ts'

/** Runs a reader; true where it took the bytes. Anything thrown but a `TunnelError` of the given code is a fault. */
export function takes(code: TunnelErrorCode, read: () => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (!(error instanceof TunnelError)) throw error
    strictEqual(error.code, code)
    return false
  }
}

/** Neighbouring parts of one payload count as one: how they were cut is not what is compared. */
function createJournal() {
  const entries: string[] = []
  let isOpen = false
  return {
    entries,
    add(entry: string) {
      entries.push(entry)
      isOpen = false
    },
    addPart(part: Buffer) {
      const text = part.toString('latin1')
      if (isOpen) entries.push((entries.pop() ?? '') + text)
      else entries.push(text)
      isOpen = true
    },
  }
}

function decode(pieces: readonly Buffer[]) {
  const { entries, add, addPart } = createJournal()
  const decoder = new Decoder({
    onFrame: (type, flags, stream, length) => add(`${type} ${flags} ${stream} ${length}`),
    onPayload: addPart,
  })
  const isTaken = takes('protocol_error', () => {
    for (const piece of pieces) decoder.push(piece)
  })
  return { entries, isTaken }
}

const decoderTarget: FuzzTarget = {
  name: 'yamux-decoder',
  make: makeFrames,
  check(input, random) {
    const whole = decode([input])
    deepStrictEqual(decode(split(input, random)), whole)
    return whole.isTaken ? 'accepted' : 'refused'
  },
}

function makeWebsocket(random: Random): Buffer {
  if (random() < 0.05) return noise(random, below(random, 100))
  const isMasked = random() < 0.5
  const parts = Array.from({ length: 1 + below(random, 5) }, () => {
    const opcode = pick(random, [OP_BINARY, OP_BINARY, OP_PING, OP_CLOSE, OP_CONTINUATION])
    const limit = pick(random, [10, 125, 126, 300, 70_000])
    const payload = noise(random, below(random, limit))
    return Buffer.concat([encodeFrameHeader(opcode, payload.length, isMasked), payload])
  })
  return mutate(Buffer.concat(parts), random, frameWords, 3)
}

function readWebsocket(pieces: readonly Buffer[], isPeerMasked: boolean) {
  const { entries, add, addPart } = createJournal()
  const reader = createFrameReader(isPeerMasked, {
    onData: addPart,
    onControl: (opcode, payload) => add(`${opcode} ${payload.toString('latin1')}`),
  })
  const isTaken = takes('protocol_error', () => {
    // It unmasks in place.
    for (const piece of pieces) reader.push(Buffer.from(piece))
  })
  return { entries, isTaken }
}

const websocketTarget: FuzzTarget = {
  name: 'websocket-frames',
  make: makeWebsocket,
  check(input, random) {
    const isPeerMasked = ((input[1] ?? 0) & 0x80) !== 0
    const whole = readWebsocket([input], isPeerMasked)
    deepStrictEqual(readWebsocket(split(input, random), isPeerMasked), whole)
    return whole.isTaken ? 'accepted' : 'refused'
  },
}

const jsonWords = [
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    'null',
    'true',
    '-1',
    '1e9',
    '9007199254740993',
    '0.5',
  ],
  ...['\\ud800', '\\u0000', '"__proto__":', '"constructor":{},', '"type":"grow",', '"tls":null,'],
  ...['\xff', '\xc3\xa9', '\xed\xa0\x80', ' ', '\n', '\ufeff', 'x'.repeat(2100)],
]

const flow = { record: 7, target: 'https://10.0.0.2:5001', flow: 'boot-1' }
const texts: Record<string, readonly Buffer[]> = {
  flow: [
    encodeFlowHead(flow).subarray(2),
    encodeFlowHead({ ...flow, tls: { verify: true, serverName: 'nas' } }).subarray(2),
  ],
  agent: [encodeAgentMessage({ type: 'facts', agentVersion: '1', model: 'm', lanIp: '10.0.0.2' })],
  relay: [
    encodeRelayMessage({ type: 'grow', links: 3 }),
    encodeRelayMessage({ type: 'drain', deadlineMs: 3000 }),
    encodeRelayMessage({ type: 'revoked', code: 'device_revoked' }),
  ],
  hello: [
    encodeHello({
      version: 1,
      device: 'd',
      session: 's',
      agentVersion: '1',
      model: 'm',
      lanIp: undefined,
      signature: 'x'.repeat(86),
    }),
  ],
  challenge: [encodeChallenge({ version: 1, nonce: 'n', relay: 'r' })],
  answer: [
    encodeAnswer({ ok: true, heartbeatMs: 10_000 }),
    encodeAnswer({ ok: false, code: 'proof_invalid', retry: 'never', detail: 'd' }),
  ],
}

/** A reader of JSON from a peer: refuses with one code, or what it took reads the same once written again. */
function messageTarget<Message>(
  name: string,
  code: TunnelErrorCode,
  parse: (bytes: Buffer) => Message | null,
  encode: (message: Message) => Buffer,
): FuzzTarget {
  return {
    name: `${name}-messages`,
    make: random => mutate(pick(random, texts[name] ?? []), random, jsonWords),
    check(input) {
      let message: Message | null = null
      const isTaken = takes(code, () => {
        message = parse(input)
      })
      if (message !== null) deepStrictEqual(parse(encode(message)), message)
      return isTaken ? 'accepted' : 'refused'
    },
  }
}

const upgradeTarget: FuzzTarget = {
  name: 'upgrade-answers',
  make: random =>
    mutate(Buffer.from(encodeUpgradeAnswer()), random, [
      ...['\r\n', '\r', '\n', ' ', ':', 'HTTP/1.1 ', '101', '426', 'Upgrade: websocket\r\n'],
      ...['Retry-After: 5\r\n', 'Connection: close\r\n', '\xff', '\0'],
    ]),
  check(input) {
    try {
      checkUpgradeAnswer(input)
    } catch (error) {
      if (!(error instanceof TunnelError)) throw error
      ok(['handshake_invalid', 'link_refused', 'version_unsupported'].includes(error.code))
      return 'refused'
    }
    ok(/^HTTP\/1\.1 101[ \r]/.test(input.toString('latin1')))
    return 'accepted'
  },
}

/** Readers of what passes between relay and agent. */
export const linkTargets: readonly FuzzTarget[] = [
  decoderTarget,
  websocketTarget,
  upgradeTarget,
  messageTarget('flow', 'head_invalid', parseFlowHead, head => encodeFlowHead(head).subarray(2)),
  messageTarget('agent', 'protocol_error', parseAgentMessage, encodeAgentMessage),
  messageTarget('relay', 'protocol_error', parseRelayMessage, encodeRelayMessage),
  messageTarget('hello', 'handshake_invalid', parseHello, encodeHello),
  messageTarget('challenge', 'handshake_invalid', parseChallenge, encodeChallenge),
  messageTarget('answer', 'handshake_invalid', parseAnswer, encodeAnswer),
]
