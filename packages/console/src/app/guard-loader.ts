import { CallError, type Profile } from '@homeport/contract'
import type { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, replace } from 'react-router'
import { isSignedIn, profileQuery } from '../features/sign-in/api/profile.ts'
import { client } from './api-client.ts'
import { settleDecision } from './enter.ts'
import { decideGuard, type GuardedRoute } from './guard.ts'

/** Given to a guarded page: the address the browser is on its way to, or null where the page is to be shown. */
export interface GuardResult {
  leavingTo: string | null
}

/** The profile as known. Throws the failure of the last asking, so that an unknown state never reads as signed out. */
async function knownProfile(queryClient: QueryClient) {
  const state = queryClient.getQueryState(profileQuery.queryKey)
  if (state?.data !== undefined) return state.data
  if (state?.status === 'error' && state.fetchStatus === 'idle') throw state.error
  return queryClient.fetchQuery(profileQuery)
}

/** Makes the loader that guards a route; the router runs it on entry and on every revalidation. */
export const createGuardLoader =
  (queryClient: QueryClient, route: GuardedRoute) =>
  async ({ request }: LoaderFunctionArgs): Promise<GuardResult | Response> => {
    const { search } = new URL(request.url)
    const decideFor = (profile: Profile | null) =>
      settleDecision(decideGuard({ route, signedIn: isSignedIn(profile), search }), client)

    const settled = await decideFor(await knownProfile(queryClient)).catch((error: unknown) => {
      if (!(error instanceof CallError) || error.code !== 'not_signed_in') throw error
      // The session ended since the profile was asked for: now the guard knows better.
      queryClient.setQueryData(profileQuery.queryKey, null)
      return decideFor(null)
    })
    if (settled.kind === 'go') return replace(settled.to)
    if (settled.kind === 'show') return { leavingTo: null }
    window.location.replace(settled.location)
    return { leavingTo: settled.location }
  }
