import { useTranslation } from 'react-i18next'
import { hostOf } from '../../../app/enter.ts'
import { LonePage } from '../../../ui/LonePage.tsx'

/** Shown while the browser is replaced with an address outside the console; a link for one that stays. */
export function LeavingNote(props: { location: string }) {
  const { t } = useTranslation('sign-in')
  return (
    <LonePage title={t('leaving', { host: hostOf(props.location) ?? '' })}>
      <p role="status">{t('leavingDetail')}</p>
      <a href={props.location}>{t('leavingLink')}</a>
    </LonePage>
  )
}
