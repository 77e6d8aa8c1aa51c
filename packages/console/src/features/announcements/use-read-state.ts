import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { keepAnswer } from '../../app/keep-answer.ts'
import { profileQuery, useProfile } from '../sign-in/api/profile.ts'
import { markRead } from './api/mark-read.ts'
import { readStoredId, storeReadId } from './read-state.ts'

/** Up to which id the reader has read, and how to raise it: in the browser until sign-in, then in the profile. */
export function useReadState(): { readUpToId: number; raise: (id: number) => void } {
  const queryClient = useQueryClient()
  const profile = useProfile()
  const [storedId, setStoredId] = useState(() => readStoredId('untilSignIn'))
  const profileId = profile?.id
  const profileReadId = profile?.readed_announcement_id ?? 0

  const raise = useCallback(
    (id: number) => {
      if (profileId === undefined) {
        storeReadId('untilSignIn', id)
        setStoredId(id)
        return
      }
      // Shown as read at once; a lost call only shows the announcement again at the next visit.
      queryClient.setQueryData(
        profileQuery.queryKey,
        old => old && { ...old, readed_announcement_id: id },
      )
      markRead(profileId, id).then(
        fresh => keepAnswer(queryClient, profileQuery.queryKey, () => fresh),
        error => console.error('announcement read state', error),
      )
    },
    [profileId, queryClient],
  )

  useEffect(() => {
    if (profileId === undefined) return
    storeReadId('seen', Math.max(readStoredId('seen'), profileReadId))
    if (storedId === 0) return
    // What was read before signing in counts for the account; then this browser hands it to nobody else.
    storeReadId('untilSignIn', 0)
    setStoredId(0)
    if (storedId > profileReadId) raise(storedId)
  }, [profileId, profileReadId, storedId, raise])

  // The stored id still counts in the moment between signing in and handing it over.
  const knownId = profileId === undefined ? readStoredId('seen') : profileReadId
  return { readUpToId: Math.max(storedId, knownId), raise }
}
