import { brand } from '@homeport/contract'
import type { texts } from '../i18n/texts/zh-CN.ts'

/** Key of a page title under `common:titles`. */
export type TitleKey = keyof (typeof texts)['titles']

/** What a route carries as its handle. */
export interface RouteHandle {
  title?: TitleKey
}

/** The brand label, then a dash and the title where the route has one (client.md section 1). */
export const formatTitle = (title: string | undefined): string =>
  title === undefined || title === '' ? brand : `${brand} - ${title}`

/** The title of the deepest route that has one. */
export function findTitle(handles: readonly unknown[]): TitleKey | undefined {
  for (const handle of handles.toReversed()) {
    if (typeof handle === 'object' && handle !== null && 'title' in handle) {
      return (handle as RouteHandle).title
    }
  }
  return undefined
}
