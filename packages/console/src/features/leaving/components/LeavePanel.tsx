import type { Profile } from '@homeport/contract'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.ts'
import styles from '../../account/components/Account.module.css'
import { useOwnAccount } from '../api/own-account.ts'

const LeaveDialog = lazyPart(async () => (await import('./LeaveDialog.tsx')).LeaveDialog)

/** Deletes the own account, after a dialog that says what is lost. */
export function LeavePanel(props: { profile: Profile }) {
  const { t } = useTranslation('leaving')
  const [isAsking, setAsking] = useState(false)
  const isLast = useOwnAccount().data?.is_last_administrator === true
  return (
    <>
      {isLast && <p className={styles.soft}>{t('leave.last')}</p>}
      <Button danger disabled={isLast} onClick={() => setAsking(true)}>
        {t('leave.open')}
      </Button>
      <Suspense>
        {isAsking && (
          <LeaveDialog username={props.profile.username} onClose={() => setAsking(false)} />
        )}
      </Suspense>
    </>
  )
}
