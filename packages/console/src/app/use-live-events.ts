import { eventsPath } from '@homeport/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { holdLiveEvents, type LiveKey, liveKeys, queryKeyOf } from './live-events.ts'

/**
 * Keeps what is shown fresh while the page is visible. A hidden page lets its connection go: browsers allow six to a
 * host over HTTP/1.1, and a seventh tab would hang.
 */
export function useLiveEvents(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const refresh = (keys: readonly LiveKey[]) => {
      for (const key of keys) void queryClient.invalidateQueries({ queryKey: queryKeyOf(key) })
    }
    let end: (() => void) | undefined
    const follow = () => {
      if (document.visibilityState === 'hidden') {
        end?.()
        end = undefined
      } else {
        end ??= holdLiveEvents({ open: () => new EventSource(eventsPath), refresh })
      }
    }
    const followAgain = () => {
      const wasFollowing = end !== undefined
      follow()
      if (!wasFollowing && end !== undefined) refresh(liveKeys)
    }
    follow()
    document.addEventListener('visibilitychange', followAgain)
    return () => {
      document.removeEventListener('visibilitychange', followAgain)
      end?.()
    }
  }, [queryClient])
}
