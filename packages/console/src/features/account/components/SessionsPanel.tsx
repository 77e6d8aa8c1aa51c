import { describeBrowser, type UserSession } from '@homeport/contract'
import { Button, Tag } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { PanelWaiting } from '../../../ui/PanelWaiting.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import { useSessions } from '../api/list-sessions.ts'
import styles from './Account.module.css'

const RevokeDialog = lazyPart(async () => (await import('./SessionDialogs.tsx')).RevokeDialog)
const EndOthersDialog = lazyPart(async () => (await import('./SessionDialogs.tsx')).EndOthersDialog)

/** The browsers that are signed in; all but this one can be signed out. */
export function SessionsPanel() {
  const { t } = useTranslation('account')
  const query = useSessions()
  const { data } = query
  const revoking = useDialog<UserSession>()
  const [isEndingOthers, setEndingOthers] = useState(false)
  if (data === undefined)
    return <PanelWaiting query={query} failed={t('sessions.failed')} rows={4} />
  return (
    <>
      <ul className={styles.rows}>
        {data.map(session => (
          <SessionRow key={session.id} session={session} onRevoke={() => revoking.show(session)} />
        ))}
      </ul>
      {data.length === 1 ? (
        <p className={styles.soft}>{t('sessions.empty')}</p>
      ) : (
        <Button danger style={{ marginTop: 12 }} onClick={() => setEndingOthers(true)}>
          {t('sessions.endOthers')}
        </Button>
      )}
      <Suspense>
        {isEndingOthers && (
          <EndOthersDialog count={data.length - 1} onClose={() => setEndingOthers(false)} />
        )}
        {revoking.subject !== undefined && (
          <RevokeDialog
            key={revoking.subject.id}
            session={revoking.subject}
            frame={revoking.frame}
          />
        )}
      </Suspense>
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
          {t(`sessions.networks.${session.network}`)}
          {session.address !== '' && <bdi> {session.address}</bdi>} · {t('sessions.seen')}{' '}
          <RelativeTime instant={session.last_seen_at} /> · {t('sessions.since')}{' '}
          <RelativeTime instant={session.created_at} /> · {t(`sessions.ways.${session.way}`)}
          {session.second_factor && session.way !== 'passkey' && t('sessions.withCode')}
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
