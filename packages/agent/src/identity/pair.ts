import {
  CallError,
  type Client,
  createClient,
  getPairing,
  pairDevice,
  startPairing,
} from '@homeport/contract'

/** What a device tells when it asks to be paired. */
export interface DeviceFacts {
  public_key: string
  name: string
  model: string
  agent_version: string
}

/** Thrown where pairing cannot go on without a person: the message says what to do. */
export class PairingError extends Error {
  override readonly name = 'PairingError'
}

const remedies: Partial<Record<CallError['code'], string>> = {
  pairing_token_invalid:
    'the token is unknown, used or expired; copy a fresh command from the console',
  device_limit: 'the account has no room for another device',
  pairing_not_found: 'nobody confirmed the device in time; start the agent again for a new link',
  invalid_input: 'the server refused the device name or facts',
}

const client = (server: URL): Client => createClient({ baseUrl: server.origin, fetch })

/** Binds the device with a token or its signed form; gives the device's uid. Throws PairingError or CallError. */
export async function pairWithToken(
  server: URL,
  token: string,
  facts: DeviceFacts,
): Promise<string> {
  return explain(async () => {
    const paired = await client(server).call(
      pairDevice,
      { body: { token, ...facts } },
      { timeoutMs: 15_000 },
    )
    return paired.uid
  })
}

/** How the agent waits for a person to confirm it in the console. */
export interface ConfirmationOptions {
  signal: AbortSignal
  pollMs: number
  /** Told the address to open, once. */
  onLink: (link: { url: string; expiresAt: string }) => void
  wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Asks to be bound and waits until somebody who is signed in confirms; gives the device's uid. */
export async function pairByConfirmation(
  server: URL,
  facts: DeviceFacts,
  options: ConfirmationOptions,
): Promise<string> {
  return explain(async () => {
    const started = await client(server).call(startPairing, { body: facts }, { timeoutMs: 15_000 })
    options.onLink({ url: started.url, expiresAt: started.expires_at })
    for (;;) {
      await options.wait(options.pollMs, options.signal)
      const params = { pairing: started.pairing }
      const state = await client(server).call(
        getPairing,
        { params },
        { timeoutMs: 15_000, signal: options.signal },
      )
      if (state.uid !== null) return state.uid
    }
  })
}

async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const remedy = error instanceof CallError ? remedies[error.code] : undefined
    if (remedy !== undefined) throw new PairingError(remedy, { cause: error })
    throw error
  }
}
