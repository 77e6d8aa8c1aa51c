import { useEffect, useEffectEvent, useRef, useState } from 'react'

const pauseMs = 250

/**
 * Text that is typed here and kept elsewhere: it is passed on after a pause in typing. A change from elsewhere (the
 * browser's back button) replaces what is typed; the echo of what was passed on does not, or it would eat the letters
 * typed meanwhile.
 */
export function useDebouncedText(kept: string, keep: (text: string) => void) {
  const [text, setText] = useState(kept)
  const passedOn = useRef(kept)
  const passOn = useEffectEvent(() => {
    passedOn.current = text.trim()
    keep(passedOn.current)
  })

  useEffect(() => {
    if (kept === passedOn.current) return
    passedOn.current = kept
    setText(kept)
  }, [kept])

  useEffect(() => {
    if (text.trim() === passedOn.current) return
    const timer = setTimeout(passOn, pauseMs)
    return () => clearTimeout(timer)
  }, [text])

  return [text, setText] as const
}
