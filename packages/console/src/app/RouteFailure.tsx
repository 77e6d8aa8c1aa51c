import { CallError } from '@homeport/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator, useRouteError } from 'react-router'
import { profileQuery } from '../features/sign-in/api/profile.ts'
import { ErrorState } from '../ui/ErrorState.tsx'

/** In place of a page that could not be decided on or loaded; asks for the profile again and runs the guard anew. */
export function RouteFailure() {
  const { t } = useTranslation()
  const error = useRouteError()
  const queryClient = useQueryClient()
  const { revalidate } = useRevalidator()
  const [isRetrying, setRetrying] = useState(false)
  useEffect(() => {
    console.error('page', error)
  }, [error])

  if (!(error instanceof CallError)) {
    return (
      <main className="lone-page">
        <ErrorState
          title={t('failure.pageTitle')}
          detail={t('failure.page')}
          retryLabel={t('action.reload')}
          onRetry={() => window.location.reload()}
        />
      </main>
    )
  }
  const isProfileUnknown = queryClient.getQueryData(profileQuery.queryKey) === undefined
  const retry = async () => {
    setRetrying(true)
    // A failure stays in the query's state, where the guard finds it.
    await queryClient.fetchQuery(profileQuery).catch(reason => console.error('profile', reason))
    await revalidate()
    setRetrying(false)
  }
  return (
    <main className="lone-page">
      <ErrorState
        {...(isProfileUnknown ? { title: t('failure.profileTitle') } : {})}
        error={error}
        onRetry={retry}
        isRetrying={isRetrying}
      />
    </main>
  )
}
