import { readPhone } from '@homeport/contract'
import { useTranslation } from 'react-i18next'

/** Checks of the fields for a number and its code. They only spare a round trip: the server has the last word. */
export function usePhoneChecks() {
  const { t } = useTranslation('phone')
  return {
    phone: (typed: string) => {
      if (typed.trim() === '') return t('problem.phone_needed')
      const reading = readPhone(typed)
      return reading.ok ? undefined : t(`problem.${reading.problem}`)
    },
    code: (typed: string) =>
      /^\d{6}$/.test(typed.replace(/\s/g, '')) ? undefined : t('problem.code_form'),
  }
}
