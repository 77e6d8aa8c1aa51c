import { WarningOutlined } from '@ant-design/icons'
import { CallError } from '@homeport/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { describeError } from './describe-error.ts'
import styles from './StateCard.module.css'
import { StateCard } from './StateCard.tsx'

/** A failure with a way on: a sentence by code, retry, the request id to quote. Texts may be replaced. */
export function ErrorState(props: {
  error?: unknown
  title?: string
  detail?: string
  retryLabel?: string
  isRetrying?: boolean
  onRetry?: () => void
}) {
  const { t } = useTranslation()
  const { error, onRetry } = props
  const requestId = error instanceof CallError ? error.requestId : undefined
  return (
    <StateCard
      role="alert"
      tone="danger"
      icon={<WarningOutlined />}
      title={props.title ?? t('failure.title')}
      detail={props.detail ?? describeError(error, t)}
      actions={
        onRetry && (
          <Button type="primary" loading={props.isRetrying ?? false} onClick={onRetry}>
            {props.retryLabel ?? t('action.retry')}
          </Button>
        )
      }
    >
      {requestId !== undefined && (
        <p className={styles.request}>
          {t('failure.requestId')} <code>{requestId}</code>
        </p>
      )}
    </StateCard>
  )
}
