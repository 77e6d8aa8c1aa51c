import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../http/app-error.ts'

/** Argon2id with the least figures OWASP names: 19 MiB, two passes, one lane (the library's variant is Argon2id). */
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

/** Hashes computed at once: 38 MiB and two threads of the pool at most. */
const runningLimit = 2

/** Hashes that may wait; the one behind them is refused, so a flood cannot pile up seconds of waiting. */
const waitingLimit = 32

/** Hashes and checks passwords; throws `busy` when too many wait. */
export interface Passwords {
  /** Throws `busy` where one more would be refused: asked before something is used up for it. */
  requireRoom(): void
  hash(password: string): Promise<string>
  /** `null` stands for an account that does not exist, '' for one without a password: both take as long and are never right. */
  verify(hash: string | null, password: string): Promise<boolean>
}

/** The two slow functions, so that a test can hold them. */
export interface PasswordEngine {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

const argon2Engine: PasswordEngine = {
  hash: password => hash(password, argon2Options),
  verify: (known, password) => verify(known, password),
}

/** Makes the queue before Argon2id; computes one hash at once that no password has. */
export async function createPasswords(engine = argon2Engine): Promise<Passwords> {
  const { run, requireRoom } = createQueue()
  // Of the same cost as every other, or the time would tell which accounts exist.
  const nobody = await engine.hash(crypto.randomUUID())
  return {
    requireRoom,
    hash: password => run(() => engine.hash(normalize(password))),
    verify: (known, password) =>
      run(async () => {
        const hash = known === null || known === '' ? nobody : known
        return (await engine.verify(hash, normalize(password))) && hash !== nobody
      }),
  }
}

// The same characters typed on another system may be composed differently (RFC 8265, OpaqueString, uses NFC).
const normalize = (password: string) => password.normalize('NFC')

function createQueue(): { run<T>(task: () => Promise<T>): Promise<T>; requireRoom(): void } {
  const waiting: (() => void)[] = []
  let running = 0
  const requireRoom = () => {
    if (waiting.length >= waitingLimit) throw new AppError('busy', { retryAfterSeconds: 2 })
  }
  return {
    requireRoom,
    async run(task) {
      if (running >= runningLimit) {
        requireRoom()
        // Whoever ends hands its place over, so `running` stays as it is.
        await new Promise<void>(resolve => waiting.push(resolve))
      } else {
        running += 1
      }
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running -= 1
        else next()
      }
    },
  }
}
