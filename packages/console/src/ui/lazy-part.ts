import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A part of a page that is loaded when it is first shown, or earlier by `preload`. */
export type LazyPart<Props> = LazyExoticComponent<ComponentType<Props>> & { preload: () => void }

/**
 * Makes a lazy part from its module. A failed load is thrown where the part is shown, so the route's own failure page
 * offers the way on: after an upgrade only a reload finds the new files.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  const part = lazy(async () => ({ default: await load() }))
  return Object.assign(part, {
    preload: () => {
      // Only a head start: whoever shows the part meets the same failure and shows it.
      load().catch(() => undefined)
    },
  })
}
