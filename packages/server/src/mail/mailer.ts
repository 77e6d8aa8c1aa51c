import type { ServerContext } from '../context.ts'
import type { Letter, LetterCarrier } from './smtp.ts'
import { createSmtpCarrier, SmtpError } from './smtp.ts'

/** Letters that may wait at once; one beyond is dropped, and the log says so. */
const waitingLimit = 200

/** Pauses before the second and the third try, in ms; after that a letter is given up. */
const pausesMs = [2_000, 20_000]

/** Sends letters in the background: no answer tells by its time whether one was sent. */
export interface Mailer {
  /** False where nothing can be sent: then nobody may begin what a letter has to end. */
  readonly isOn: boolean
  /** `code` is the link or code that the outbox of development shows apart. */
  send(letter: Letter, code?: string): void
  /**
   * Runs what writes letters once the answer of whatever asked for it is on its way: neither it nor its time tells of them. What goes
   * wrong is logged; at most as many wait as letters do.
   */
  later(write: () => Promise<void>): void
  /** Resolves when every letter is sent or given up. */
  settled(): Promise<void>
  /** Gives up what waits for another try. */
  stop(): Promise<void>
}

/** Makes the mailer: by SMTP where it is configured, into the outbox in development, else off. */
export function createMailer(
  { config, clock, logger, outbox }: Pick<ServerContext, 'config' | 'clock' | 'logger' | 'outbox'>,
  carrier: LetterCarrier | null = config.smtp === undefined ? null : createSmtpCarrier(config.smtp),
): Mailer {
  const running = new Set<Promise<void>>()
  let isStopping = false

  const pauses = new Set<() => void>()
  /** Resolves after that time, or when the mailer stops. */
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const end = () => {
        timer.cancel()
        pauses.delete(end)
        resolve()
      }
      const timer = clock.setTimeout(end, ms)
      pauses.add(end)
    })

  async function carry(by: LetterCarrier, letter: Letter): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await by.carry(letter)
      } catch (error) {
        const next = pausesMs[tries]
        const mayPass = error instanceof SmtpError && error.isTemporary && next !== undefined
        if (mayPass && !isStopping) await pause(next)
        if (!mayPass || isStopping) {
          logger.error({ err: error }, 'a mail was not sent')
          return
        }
      }
    }
  }

  function keep(work: () => Promise<void>): void {
    if (running.size >= waitingLimit) {
      logger.error({}, 'a mail was not sent: too many wait')
      return
    }
    const kept: Promise<void> = work().finally(() => running.delete(kept))
    running.add(kept)
  }

  return {
    isOn: carrier !== null || outbox !== null,
    send(letter, code) {
      if (carrier === null) {
        outbox?.add({ kind: 'mail', ...letter, code: code ?? null })
        return
      }
      keep(() => carry(carrier, letter))
    },
    later(write) {
      keep(async () => {
        await new Promise<void>(resolve => void setImmediate(resolve))
        await write().catch(cause => logger.error({ err: cause }, 'a mail was not written'))
      })
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    async stop() {
      isStopping = true
      for (const end of pauses) end()
      // What is being written may still hand a letter over.
      while (running.size > 0) await Promise.all(running)
    },
  }
}
