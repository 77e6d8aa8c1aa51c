import type { TitleKey } from '../../app/titles.ts'
import { paths } from '../../paths.ts'

/** One entry: its page and the key of its title. */
export interface MenuEntry {
  title: TitleKey
  to: string
}

/** Entries under a heading; the first group has none. */
export interface MenuGroup {
  heading: 'info' | 'help' | undefined
  entries: MenuEntry[]
}

/** What decides which entries are there. */
export interface MenuInput {
  isStaff: boolean
  hasProductPermission: boolean
  /** False hides buying and codes (decisions.md section 6). */
  billing: boolean
}

/** The side menu of decisions.md section 4. */
export function buildMenu({ isStaff, hasProductPermission, billing }: MenuInput): MenuGroup[] {
  const when = (condition: boolean, title: TitleKey, to: string): MenuEntry[] =>
    condition ? [{ title, to }] : []
  return [
    {
      heading: undefined,
      entries: [
        { title: 'statistics', to: paths.statistics },
        { title: 'devices', to: paths.devices },
        ...when(billing, 'buy', paths.buy),
        { title: 'invite', to: paths.invite },
        ...when(billing && hasProductPermission, 'productos', paths.productos),
        ...when(isStaff, 'staff', paths.staff),
      ],
    },
    {
      heading: 'info',
      entries: [
        { title: 'announcements', to: paths.announcements },
        { title: 'record', to: paths.record },
      ],
    },
    {
      heading: 'help',
      entries: [
        { title: 'playersare', to: paths.playersare },
        { title: 'tutorial', to: paths.tutorial },
      ],
    },
  ]
}
