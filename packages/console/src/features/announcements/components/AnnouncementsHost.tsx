import { useQuery } from '@tanstack/react-query'
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { profileQuery } from '../../sign-in/api/profile.ts'
import { isRead, largestId, toRows } from '../announcements.ts'
import { announcementsQuery } from '../api/announcements.ts'
import { useReadState } from '../use-read-state.ts'

const Dialog = lazy(async () => ({
  default: (await import('./AnnouncementsDialog.tsx')).AnnouncementsDialog,
}))

interface Announcing {
  /** Shows the dialog again; does nothing where there is no row. */
  open: () => void
  hasRows: boolean
  hasUnread: boolean
}

const Context = createContext<Announcing>({ open() {}, hasRows: false, hasUnread: false })

/** The dialog's opener for everything inside. */
export const useAnnouncing = (): Announcing => use(Context)

/**
 * Owns the announcements dialog: opens it at the start and after a sign-in where something is unread. One that arrives
 * later only marks the entry in the header, so that it interrupts nobody. A failed load stays silent.
 */
export function AnnouncementsHost(props: { children: ReactNode }) {
  const rows = toRows(useQuery(announcementsQuery).data ?? [])
  const { data: profile } = useQuery(profileQuery)
  // While it is unknown who reads, it is unknown what was read.
  const reader = profile === undefined ? undefined : (profile?.id ?? 'visitor')
  const { readUpToId, raise } = useReadState()
  const hasRows = rows.length > 0
  const hasUnread = hasRows && reader !== undefined && !isRead(rows, readUpToId)
  const [isOpen, setOpen] = useState(hasUnread)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another reader opens the dialog, a new row does not
  useEffect(() => {
    if (hasUnread) setOpen(true)
  }, [reader])

  const close = () => {
    setOpen(false)
    if (hasUnread) raise(largestId(rows))
  }
  return (
    <Context value={{ open: () => setOpen(true), hasRows, hasUnread }}>
      {props.children}
      {isOpen && hasRows && (
        <Suspense>
          <Dialog rows={rows} onClose={close} />
        </Suspense>
      )}
    </Context>
  )
}
