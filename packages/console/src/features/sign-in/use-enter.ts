import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useRevalidator } from 'react-router'
import { profileQuery } from './api/profile.ts'

/**
 * After a sign-in: asks for the profile anew and runs the guard, which leads on to `url`, the error page or home. A
 * failure of the profile shows the guard's retry and never looks like being signed out.
 */
export function useEnter(): () => Promise<void> {
  const queryClient = useQueryClient()
  const { revalidate } = useRevalidator()
  return useCallback(async () => {
    await queryClient.resetQueries({ queryKey: profileQuery.queryKey })
    await revalidate()
  }, [queryClient, revalidate])
}
