import { useState } from 'react'

/** What a dialog's Modal needs of its opener; spread onto it. */
export interface DialogFrame {
  open: boolean
  onCancel: () => void
  afterClose: () => void
}

/**
 * Opens a dialog about something and forgets it only once the dialog has closed: one that is taken away while open
 * cannot give the focus back. Where the opener is gone by then, the focus goes to the page.
 */
export function useDialog<Subject>() {
  const [subject, setSubject] = useState<Subject>()
  const [open, setOpen] = useState(false)
  const frame: DialogFrame = {
    open,
    onCancel: () => setOpen(false),
    afterClose: () => {
      setSubject(undefined)
      if (document.activeElement === document.body)
        document.querySelector('main')?.focus({ preventScroll: true })
    },
  }
  return {
    /** Undefined while there is no dialog. */
    subject,
    frame,
    show: (next: Subject) => {
      setSubject(() => next)
      setOpen(true)
    },
  }
}
