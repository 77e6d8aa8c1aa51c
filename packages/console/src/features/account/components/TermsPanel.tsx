import type { OwnAccount, Profile } from '@homeport/contract'
import { Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { formatInstant } from '../../../ui/instants.ts'
import { useOwnAccount } from '../../leaving/api/own-account.ts'
import { usePatchProfile } from '../api/patch-profile.ts'
import styles from './Account.module.css'

/** Which terms were accepted, when and in which version; those that were not can be accepted here. */
export function TermsPanel(props: { profile: Profile }) {
  const { t } = useTranslation('account')
  const { profile } = props
  const { mutate, isPending, error } = usePatchProfile(profile.id)
  const accepted = useOwnAccount().data?.terms
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
              <AcceptedWhen accepted={accepted?.[name]} />
            </div>
            {!isAccepted && (
              <Button
                size="small"
                loading={isPending}
                onClick={() => mutate({ [`accepted_terms_of_${name}`]: true })}
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

function AcceptedWhen(props: { accepted: OwnAccount['terms']['service'] | undefined }) {
  const { t } = useTranslation('account')
  const { version, accepted_at: at } = props.accepted ?? {}
  if (version == null || at == null) return null
  return (
    <div className={styles.soft}>{t('terms.when', { version, instant: formatInstant(at) })}</div>
  )
}
