import type { OwnAccount } from '@homeport/contract'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { formatInstant } from '../../../ui/instants.ts'
import styles from '../../account/components/Account.module.css'
import { useCancelEmail, useResendEmail } from '../api/email.ts'

/** The address that waits for its link: sent again, or given up. */
export function PendingEmail(props: { pending: NonNullable<OwnAccount['email_pending']> }) {
  const { t } = useTranslation('email')
  const { email, expires_at } = props.pending
  const resending = useResendEmail()
  const cancelling = useCancelEmail()
  const isOver = Date.parse(expires_at) <= Date.now()
  return (
    <>
      <Alert
        type={isOver ? 'warning' : 'info'}
        showIcon
        title={t('pending', { email })}
        description={
          <>
            <p>
              {isOver
                ? t('pendingOver')
                : t('pendingDetail', { instant: formatInstant(expires_at) })}
            </p>
            <div className={styles.actions}>
              <Button size="small" loading={resending.isPending} onClick={() => resending.mutate()}>
                {t('resend')}
              </Button>
              <Button
                size="small"
                loading={cancelling.isPending}
                onClick={() => cancelling.mutate()}
              >
                {t('cancel')}
              </Button>
              <span role="status" className={styles.done}>
                {resending.isSuccess && t('resent')}
              </span>
            </div>
          </>
        }
      />
      <FailureNotice title={t('resendFailed')} error={resending.error} />
      <FailureNotice title={t('cancelFailed')} error={cancelling.error} />
    </>
  )
}
