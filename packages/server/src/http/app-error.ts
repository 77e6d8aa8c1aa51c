import { type ErrorCode, errorKinds, type InputProblem } from '@homeport/contract'

/** What an AppError may carry beside its code. */
export interface AppErrorOptions {
  /** A whole sentence for people, in the caller's language; the registry's one where absent. */
  detail?: string
  /** Input problems; with `invalid_input`. */
  errors?: readonly InputProblemKey[]
  cause?: unknown
  /** Told as `Retry-After`; with `rate_limited`, `busy` and `unavailable`. */
  retryAfterSeconds?: number
}

/** An input problem; without a sentence it gets the one of its code in the caller's language. */
export type InputProblemKey = Omit<InputProblem, 'message'> & { message?: string }

/** The one error of the server: everything else that is thrown answers `internal` and tells nothing. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly errors: readonly InputProblemKey[]
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorKinds[code].en, { cause: options.cause })
    this.code = code
    this.detail = options.detail
    this.errors = options.errors ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
