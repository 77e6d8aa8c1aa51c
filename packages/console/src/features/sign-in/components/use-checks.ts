import { useTranslation } from 'react-i18next'

const usernameShape =
  /^(?!\d+$)[\p{Unified_Ideograph}々〇A-Za-z0-9][\p{Unified_Ideograph}々〇A-Za-z0-9_.-]{2,31}$/u
const leastPasswordLength = 8

/** Checks of the sign-in forms' fields. They only spare a round trip: the server has the last word. */
export function useChecks() {
  const { t } = useTranslation('sign-in')
  const needed = (value: string) => (value.trim() === '' ? t('needed') : undefined)
  return {
    needed,
    optional: () => undefined,
    username: (value: string) =>
      needed(value) ?? (usernameShape.test(value.trim()) ? undefined : t('problem.usernameForm')),
    newPassword: (value: string) =>
      value === ''
        ? t('needed')
        : value.length < leastPasswordLength
          ? t('problem.passwordShort')
          : undefined,
    confirmation: (value: string, { password }: { password: string }) =>
      value === '' ? t('needed') : value === password ? undefined : t('problem.different'),
    terms: (value: string) => (value === 'yes' ? undefined : t('terms.needed')),
  }
}
