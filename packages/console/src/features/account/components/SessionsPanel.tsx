import type { UserSession } from '@homeport/contract'
import { Button, Modal, Skeleton, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { type DialogFrame, useDialog } from '../../../ui/use-dialog.ts'
import { FailureNotice } from '../../devices/components/FailureNotice.tsx'
import { RelativeTime } from '../../devices/components/RelativeTime.tsx'
import { useDeleteSession } from '../api/delete-session.ts'
import { useSessions } from '../api/list-sessions.ts'
import { describeBrowser } from '../describe-browser.ts'
import styles from './Account.module.css'

/** The browsers that are signed in; all but this one can be signed out. */
export function SessionsPanel() {
  const { t } = useTranslation(['account', 'common'])
  const { data, error, refetch, isFetching } = useSessions()
  const revoking = useDialog<UserSession>()
  if (data === undefined) {
    if (error === null) return <Skeleton active title={false} paragraph={{ rows: 4 }} />
    return (
      <>
        <FailureNotice title={t('sessions.failed')} error={error} />
        <Button loading={isFetching} onClick={() => refetch()}>
          {t('common:action.retry')}
        </Button>
      </>
    )
  }
  return (
    <>
      <ul className={styles.rows}>
        {data.map(session => (
          <SessionRow key={session.id} session={session} onRevoke={() => revoking.show(session)} />
        ))}
      </ul>
      {data.length === 1 && <p className={styles.soft}>{t('sessions.empty')}</p>}
      {revoking.subject !== undefined && (
        <RevokeDialog key={revoking.subject.id} session={revoking.subject} frame={revoking.frame} />
      )}
    </>
  )
}

function SessionRow(props: { session: UserSession; onRevoke: () => void }) {
  const { t } = useTranslation('account')
  const { session } = props
  const name = describeBrowser(session.user_agent) || t('sessions.unknown')
  return (
    <li className={styles.row}>
      <div className={styles.rowText}>
        <div className={styles.rowTitle} title={session.user_agent}>
          {name}
          {session.current && <Tag color="success">{t('sessions.current')}</Tag>}
        </div>
        <div className={styles.soft}>
          {t('sessions.from', { address: session.address })} · {t('sessions.seen')}{' '}
          <RelativeTime instant={session.last_seen_at} /> · {t('sessions.since')}{' '}
          <RelativeTime instant={session.created_at} />
        </div>
      </div>
      {!session.current && (
        <Button
          size="small"
          aria-label={t('sessions.revokeName', { name })}
          onClick={props.onRevoke}
        >
          {t('sessions.revoke')}
        </Button>
      )}
    </li>
  )
}

function RevokeDialog(props: { session: UserSession; frame: DialogFrame }) {
  const { t } = useTranslation(['account', 'common'])
  const { session, frame } = props
  const { mutate, isPending, error } = useDeleteSession()
  const name = describeBrowser(session.user_agent) || t('sessions.unknown')
  return (
    <Modal
      {...frame}
      title={t('sessions.revokeTitle', { name })}
      okText={t('sessions.revoke')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate(session.id, { onSuccess: frame.onCancel })}
    >
      <p>{t('sessions.revokeDetail')}</p>
      <FailureNotice title={t('sessions.revokeFailed')} error={error} />
    </Modal>
  )
}
