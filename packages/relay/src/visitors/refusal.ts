import type { PageCode } from '../pages/kinds.ts'

/** A message that the door does not carry on. `code` picks the page; `message` is for the log alone. */
export class Refusal extends Error {
  readonly code: PageCode

  constructor(code: PageCode, reason: string) {
    super(reason)
    this.name = 'Refusal'
    this.code = code
  }
}
