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

// Fetch metadata says what a request is for; a page that loads a protected picture must get 401 and no redirect to a
// login page. Absent in old browsers and in tools: then `Accept` decides.
const pageModes = new Set(['navigate'])
const pageDestinations = new Set(['document', 'iframe', 'frame', 'embed', 'object'])

/** Is this a browser that opens a page (decisions.md section 5): GET or HEAD that accepts HTML? */
export function isPageLoad(request: GateRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (request.isUpgrade) return false
  const mode = request.header('sec-fetch-mode')
  if (mode !== undefined && !pageModes.has(mode)) return false
  const destination = request.header('sec-fetch-dest')
  if (destination !== undefined && !pageDestinations.has(destination)) return false
  return acceptsHtml(request.header('accept') ?? null)
}
