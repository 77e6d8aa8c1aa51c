import { CallError } from '@homeport/contract'
import type { TFunction } from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

const known = ['required', 'too_small', 'too_big', 'invalid_format', 'invalid_value'] as const

/** One entry for `form.setFields`. */
export interface FieldError<Name extends string> {
  name: Name
  errors: string[]
}

/**
 * The problems of an `invalid_input` answer, worded by code, under the fields they belong to. Problems of parts the
 * form does not show are left out; the caller then shows the general sentence.
 */
export function readFieldErrors<const Name extends string>(
  error: unknown,
  names: readonly Name[],
  t: TFunction<'common'>,
): FieldError<Name>[] {
  if (!(error instanceof CallError)) return []
  return names.flatMap(name => {
    const own = error.errors.filter(problem => problem.path.split('.').at(-1) === name)
    if (own.length === 0) return []
    const errors = own.map(({ code }) => t(`field.${known.find(each => each === code) ?? 'other'}`))
    return [{ name, errors: [...new Set(errors)] }]
  })
}

/** `readFieldErrors` for components whose own texts are another namespace. */
export function useFieldErrors() {
  const { t } = useTranslation('common')
  return useCallback(
    <const Name extends string>(error: unknown, names: readonly Name[]) =>
      readFieldErrors(error, names, t),
    [t],
  )
}
