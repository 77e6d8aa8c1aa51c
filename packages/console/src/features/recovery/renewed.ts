/** What the page of a link hands on to the sign-in page: who has a new password now. */
export interface RenewedState {
  renewed: string
}

/** The username in a history entry's state; undefined where it holds something else. */
export function readRenewed(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('renewed' in state)) return undefined
  return typeof state.renewed === 'string' ? state.renewed : undefined
}
