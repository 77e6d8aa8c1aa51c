import type { PasswordStrength } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'

/** A list that did not come is asked for this often again; without it the server alone judges. */
const retries = 2

/**
 * How well a new password would hold, as the server will judge it; `short` before it is long enough, undefined while there
 * is none or the judge is being loaded. `about` is what others know of its owner.
 */
export function usePasswordStrength(
  password: string,
  about: readonly string[],
): PasswordStrength | 'short' | undefined {
  const { data: judge } = useQuery({
    queryKey: ['strength-judge'],
    queryFn: async () => (await import('./strength-judge.ts')).loadStrengthJudge(),
    enabled: password !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: retries,
  })
  // Typing never waits for the judge.
  const judged = useDeferredValue(password)
  const known = about.join('\n')
  const strength = useMemo(
    () => (judged.length < 8 ? undefined : judge?.(judged, known.split('\n'))),
    [judge, judged, known],
  )
  if (password === '') return undefined
  return password.length < 8 ? 'short' : strength
}
