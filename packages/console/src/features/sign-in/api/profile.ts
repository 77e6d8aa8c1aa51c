import { getProfile, type Profile, profileTimeoutMs } from '@homeport/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** The signed-in user, null where nobody is; fails after 5000 ms, which says nothing about being signed in. */
export const profileQuery = queryOptions({
  queryKey: queryKeys.profile,
  queryFn: async ({ signal }): Promise<Profile | null> => {
    const [profile] = await client.call(getProfile, {}, { signal, timeoutMs: profileTimeoutMs })
    return profile ?? null
  },
  staleTime: 60_000,
  retry: false,
  // Only the guard and its retry button ask again: an asking nobody sees would make the button wait for it.
  retryOnMount: false,
})

/** Logged in means a non-empty token and an id above 0 (client.md section 3). */
export const isSignedIn = (profile: Profile | null | undefined): profile is Profile =>
  profile != null && profile.token !== '' && profile.id > 0

/** The 'product' permission: staff, promoter or superuser. */
export const hasProductPermission = (profile: Profile): boolean =>
  profile.is_staff || profile.is_promoter || profile.is_superuser

/** The signed-in user; undefined while unknown or where nobody is. */
export function useProfile(): Profile | undefined {
  const { data } = useQuery(profileQuery)
  return isSignedIn(data) ? data : undefined
}
