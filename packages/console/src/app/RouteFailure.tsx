import { CallError } from '@homeport/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useRouteError } from 'react-router'
import { profileQuery } from '../features/sign-in/api/profile.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LonePage } from '../ui/LonePage.tsx'

/** In place of a page outside the shell that could not be decided on or loaded. */
export function RouteFailure() {
  return (
    <LonePage>
      <Failure />
    </LonePage>
  )
}

/** In place of a page inside the shell, which stays around it. */
export function HomePageFailure() {
  return <Failure />
}

/** Asks for the profile again and runs the guard anew; what no call caused is left by loading the console anew. */
function Failure() {
  const { t } = useTranslation()
  const error = useRouteError()
  const queryClient = useQueryClient()
  const runGuard = useRunGuard()
  const [isRetrying, setRetrying] = useState(false)
  const { data: profile } = useQuery(profileQuery)
  const [wasProfileUnknown] = useState(profile === undefined)
  useEffect(() => {
    console.error('page', error)
  }, [error])
  useEffect(() => {
    if (wasProfileUnknown && profile !== undefined) void runGuard()
  }, [wasProfileUnknown, profile, runGuard])

  if (!(error instanceof CallError)) {
    return (
      <ErrorState
        title={t('failure.pageTitle')}
        detail={t('failure.page')}
        retryLabel={t('action.reload')}
        onRetry={() => window.location.reload()}
      />
    )
  }
  const retry = async () => {
    setRetrying(true)
    await queryClient.cancelQueries({ queryKey: profileQuery.queryKey })
    // A failure stays in the query's state, where the guard finds it.
    await queryClient.fetchQuery(profileQuery).catch(reason => console.error('profile', reason))
    await runGuard()
    setRetrying(false)
  }
  return (
    <ErrorState
      {...(wasProfileUnknown ? { title: t('failure.profileTitle') } : {})}
      error={error}
      onRetry={retry}
      isRetrying={isRetrying}
    />
  )
}

/**
 * Goes to the same address once more. Not `revalidate`: the router clears an error only where the address is a new one
 * or a render saw the revalidation under way, and ours may be over before the next render.
 */
function useRunGuard(): () => Promise<void> {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return useCallback(
    async () => navigate({ pathname, search }, { replace: true }),
    [navigate, pathname, search],
  )
}
