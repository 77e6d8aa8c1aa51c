import type { QueryClient } from '@tanstack/react-query'
import { announcementsQuery } from '../features/announcements/api/announcements.ts'
import { profileQuery } from '../features/sign-in/api/profile.ts'
import { settingsQuery } from '../features/site/api/settings.ts'

/**
 * Loads what every page shares, in parallel. Never rejects: a failure is only logged and the app mounts without the
 * part (announcements then stay silent, the guard asks for the profile again).
 */
export async function loadSharedData(queryClient: QueryClient): Promise<void> {
  const loads = [
    queryClient.fetchQuery({ ...settingsQuery, retry: false }),
    queryClient.fetchQuery({ ...announcementsQuery, retry: false }),
    queryClient.fetchQuery(profileQuery),
  ]
  for (const result of await Promise.allSettled(loads)) {
    if (result.status === 'rejected') console.error('start-up data', result.reason)
  }
}
