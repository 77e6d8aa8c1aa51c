import type { Profile } from '@homeport/contract'
import { Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../devices/components/FailureNotice.tsx'
import { usePatchProfile } from '../api/patch-profile.ts'
import styles from './Account.module.css'

/** Which terms were accepted; those of the service can be accepted here. */
export function TermsPanel(props: { profile: Profile }) {
  const { t } = useTranslation('account')
  const { profile } = props
  const { mutate, isPending, error } = usePatchProfile(profile.id)
  const rows = [
    ['service', profile.accepted_terms_of_service],
    ['payment', profile.accepted_terms_of_payment],
  ] as const
  return (
    <>
      <ul className={styles.rows}>
        {rows.map(([name, isAccepted]) => (
          <li key={name} className={styles.row}>
            <div className={styles.rowText}>
              <div className={styles.rowTitle}>
                {t(`terms.${name}`)}
                <Tag color={isAccepted ? 'success' : 'default'}>
                  {t(isAccepted ? 'terms.accepted' : 'terms.open')}
                </Tag>
              </div>
              <div className={styles.soft}>{t(`terms.${name}Detail`)}</div>
            </div>
            {name === 'service' && !isAccepted && (
              <Button
                size="small"
                loading={isPending}
                onClick={() => mutate({ accepted_terms_of_service: true })}
              >
                {t('terms.accept')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <FailureNotice title={t('terms.acceptFailed')} error={error} />
    </>
  )
}
