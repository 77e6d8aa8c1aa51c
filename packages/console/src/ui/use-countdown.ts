import { useEffect, useState } from 'react'

/** Seconds left of a wait that `start` begins; 0 when there is none. Counts by the clock, so a sleeping tab is right. */
export function useCountdown(): { secondsLeft: number; start: (seconds: number) => void } {
  const [endsAt, setEndsAt] = useState(0)
  const [now, setNow] = useState(0)
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const isRunning = secondsLeft > 0

  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning])

  const start = (seconds: number) => {
    setNow(Date.now())
    setEndsAt(Date.now() + seconds * 1000)
  }
  return { secondsLeft, start }
}
