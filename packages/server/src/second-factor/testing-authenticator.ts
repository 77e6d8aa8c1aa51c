import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/** How an answer may be other than a browser's with a willing user. */
export interface AnswerOptions {
  origin?: string
  rpId?: string
  /** False: the user only touched it. */
  isVerified?: boolean
  /** Counter of the answer; one more than the last unless told. */
  counter?: number
  userHandle?: string
}

/** An authenticator with one ES256 passkey, and the browser before it. */
export interface TestAuthenticator {
  readonly id: string
  create(options: CreationOptions, how?: AnswerOptions): object
  get(options: { challenge: string }, how?: AnswerOptions): object
}

interface CreationOptions {
  challenge: string
  user: { id: string }
  rp: { id: string }
}

/** Makes one on the test server's console. */
export function createTestAuthenticator(): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let handle = ''
  let counter = 0

  const clientDataOf = (type: string, challenge: string, { origin }: AnswerOptions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: origin ?? 'http://localhost:8080' }))
  function authenticatorData(how: AnswerOptions, extra: number, tail: Buffer): Buffer {
    counter = how.counter ?? counter + 1
    const flags = userPresent | (how.isVerified === false ? 0 : userVerified) | extra
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(how.rpId ?? 'localhost'), head, tail])
  }
  const answerOf = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    id,
    create(options, how = {}) {
      handle = options.user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const tail = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKeyOf(publicKey)])
      const data = authenticatorData(how, hasCredential, tail)
      const attestation = encodeMap([
        [encodeText('fmt'), encodeText('none')],
        [encodeText('attStmt'), encodeMap([])],
        [encodeText('authData'), encodeBytes(data)],
      ])
      return answerOf({
        clientDataJSON: text(clientDataOf('webauthn.create', options.challenge, how)),
        attestationObject: text(attestation),
        transports: ['internal'],
      })
    },
    get(options, how = {}) {
      const clientData = clientDataOf('webauthn.get', options.challenge, how)
      const data = authenticatorData(how, 0, Buffer.alloc(0))
      const signed = createSign('sha256').update(data).update(sha256(clientData))
      return answerOf({
        clientDataJSON: text(clientData),
        authenticatorData: text(data),
        signature: text(signed.sign(privateKey)),
        userHandle: how.userHandle ?? handle,
      })
    },
  }
}

const text = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** COSE key of an ES256 public key (RFC 9053 section 7.1.1). */
function coseKeyOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (part: string) => encodeBytes(Buffer.from(part, 'base64url'))
  return encodeMap([
    [encodeHead(0, 1), encodeHead(0, 2)],
    [encodeHead(0, 3), encodeHead(1, 6)],
    [encodeHead(1, 0), encodeHead(0, 1)],
    [encodeHead(1, 1), bytes(x)],
    [encodeHead(1, 2), bytes(y)],
  ])
}

/** The head of a CBOR item (RFC 8949 section 3): lengths and numbers below 65,536. */
function encodeHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const encodeBytes = (bytes: Buffer) => Buffer.concat([encodeHead(2, bytes.length), bytes])
const encodeText = (content: string) =>
  Buffer.concat([encodeHead(3, Buffer.byteLength(content)), Buffer.from(content)])
const encodeMap = (pairs: [Buffer, Buffer][]) =>
  Buffer.concat([encodeHead(5, pairs.length), ...pairs.flat()])
