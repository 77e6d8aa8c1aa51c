import { CallError, errorKinds, isErrorCode } from '@homeport/contract'
import type { TFunction } from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { readLanguage } from '../i18n/language.ts'

const ownSentences = ['network', 'timeout', 'unreadable'] as const

/** A sentence for people; never the error's own text, which may come from anywhere. */
export function describeError(error: unknown, t: TFunction<'common'>): string {
  if (!(error instanceof CallError)) return t('failure.unknown')
  const { code } = error
  if (isErrorCode(code)) return readLanguage() === 'en' ? errorKinds[code].en : errorKinds[code].zh
  const own = ownSentences.find(known => known === code)
  return t(`failure.${own ?? 'unknown'}`)
}

/** True where the user stopped the action; nothing is to be said then. */
export const isAborted = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'aborted'

/** `describeError` for components whose own texts are another namespace. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('common')
  return useCallback(error => describeError(error, t), [t])
}
