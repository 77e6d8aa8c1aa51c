import type { SmsScene } from '@homeport/contract'

/** A code on its way to a telephone. */
export interface SmsMessage {
  /** E.164. */
  phone: string
  code: string
  scene: SmsScene
}

/** Why a message was not taken: too many went to the number, the vendor refused it, or did not answer. */
export type SmsFailure = 'throttled' | 'refused' | 'unreachable'

/** A message that was not taken. Its text names the vendor's own code, never the message. */
export class SmsError extends Error {
  override readonly name = 'SmsError'
  readonly failure: SmsFailure

  constructor(failure: SmsFailure, detail: string, options?: { cause?: unknown }) {
    super(detail, options)
    this.failure = failure
  }
}

/** Hands messages to whoever carries them. */
export interface SmsSender {
  /** Resolves once the message was taken; throws SmsError. */
  send(message: SmsMessage): Promise<void>
}
