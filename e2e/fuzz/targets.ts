import { doorTargets } from './door-targets.ts'
import { linkTargets } from './link-targets.ts'
import { muxerTargets } from './muxer-targets.ts'
import { proxyTarget } from './proxy-target.ts'
import type { FuzzTarget } from './run.ts'
import { textTargets } from './text-targets.ts'

/** Everything that reads bytes of strangers. */
export const allTargets: readonly FuzzTarget[] = [
  ...doorTargets,
  ...linkTargets,
  ...muxerTargets,
  ...textTargets,
  proxyTarget,
]
