import type { CaptchaKind } from '@homeport/contract'
import type { Drawn } from './artist.ts'

/** To the thread: draw one. */
export interface DrawOrder {
  kind: CaptchaKind
}

/** From the thread: one is drawn; orders are answered in turn. */
export interface DrawReport {
  drawn: Drawn
}
