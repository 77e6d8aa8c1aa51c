import type { SentMessage } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { Drawer, Grid, Skeleton, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { outboxQuery } from '../api/list-messages.ts'
import styles from './Outbox.module.css'

/** The newest messages, from the right; on a phone they fill the screen. */
export function OutboxDrawer(props: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('outbox')
  const screens = Grid.useBreakpoint()
  return (
    <Drawer
      title={t('title')}
      open={props.isOpen}
      onClose={props.onClose}
      size={screens.sm === false ? '100%' : 420}
      destroyOnHidden
    >
      <p className={styles.detail}>{t('detail')}</p>
      <Messages />
    </Drawer>
  )
}

function Messages() {
  const { t } = useTranslation('outbox')
  const { data, error, isFetching, refetch } = useQuery(outboxQuery)
  if (data === undefined) {
    if (error === null) return <Skeleton active title={false} paragraph={{ rows: 4 }} />
    return <ErrorState error={error} isRetrying={isFetching} onRetry={refetch} />
  }
  if (data.length === 0) return <EmptyState title={t('empty')} detail={t('emptyDetail')} />
  return (
    <ul className={styles.messages} aria-live="polite">
      {data.map(message => (
        <Message key={message.id} message={message} />
      ))}
    </ul>
  )
}

function Message({ message }: { message: SentMessage }) {
  const { t, i18n } = useTranslation('outbox')
  const { code } = message
  return (
    <li className={styles.message}>
      <div className={styles.head}>
        <Tag>{t(`kind.${message.kind}`)}</Tag>
        <span className={styles.to}>{message.to}</span>
        <time dateTime={message.at}>
          {new Date(message.at).toLocaleTimeString(i18n.language, { hour12: false })}
        </time>
      </div>
      <strong>{message.subject}</strong>
      <p className={styles.text}>{message.text}</p>
      {code !== null && (
        <div className={styles.code}>
          <code>{code}</code>
          <CopyButton size="small" text={code} label={t('copy')} />
        </div>
      )}
    </li>
  )
}
