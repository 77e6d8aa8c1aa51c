import { acceptsHtml } from '../pages/accept.ts'

/** The parts of a request that the gate looks at. */
export interface GateRequest {
  readonly method: string
  /** Origin-form target as the visitor sent it. */
  readonly path: string
  /** The `Host` as sent, with its port. */
  readonly authority: string
  /** Is this a WebSocket's opening handshake? */
  readonly isUpgrade: boolean
  /** A header's value, of several lines the one that a cautious reader takes; undefined where absent. */
  header(name: string): string | undefined
}

/** Is this a browser that opens a page (decisions.md section 5): GET or HEAD that accepts HTML? */
export function isPageLoad(request: GateRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (request.isUpgrade) return false
  // Fetch metadata says what a request is for: a picture of a protected page must get 401 and no login page. It is
  // absent in old browsers, on plain http and in tools; then `Accept` decides.
  const mode = request.header('sec-fetch-mode')
  if (mode !== undefined && mode !== 'navigate') return false
  const destination = request.header('sec-fetch-dest')
  // Not a frame either: the console refuses to be shown in one, so the way round could not be gone there.
  if (destination !== undefined && destination !== 'document') return false
  return acceptsHtml(request.header('accept') ?? null)
}
