import type { Announcement } from '@homeport/contract'

/** A row as people see it: numbered from 1 without gaps; `link` only where the url may be opened. */
export interface AnnouncementRow {
  id: number
  number: number
  text: string
  link: string | undefined
}

/** Only web pages are opened: a staff account that was broken into must not run code in readers' pages. */
function readLink(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** Rows with `display` true, worded `1. 【title】: detail` (client.md section 2). */
export const toRows = (announcements: readonly Announcement[]): AnnouncementRow[] =>
  announcements
    .filter(({ display }) => display)
    .map(({ id, title, detail, url }, index) => ({
      id,
      number: index + 1,
      text: `${index + 1}. \u3010${title}\u3011: ${detail}`,
      link: readLink(url),
    }))

/** Largest id among the rows; 0 where there is none. */
export const largestId = (rows: readonly AnnouncementRow[]): number =>
  rows.reduce((largest, { id }) => Math.max(largest, id), 0)

/** Read means that the id read up to is at least the largest displayed one; nothing to read counts as read. */
export const isRead = (rows: readonly AnnouncementRow[], readUpToId: number): boolean =>
  readUpToId >= largestId(rows)
