import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Notice.module.css'

/** A sentence above a form. An error is read out at once and carries the request id to quote. */
export function Notice(props: {
  tone?: 'info' | 'error'
  requestId?: string | undefined
  children: ReactNode
}) {
  const { t } = useTranslation('common')
  const { tone = 'info', requestId } = props
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'error' ? 'alert' : undefined}>
      {props.children}
      {requestId !== undefined && (
        <p className={styles.small}>
          {t('failure.requestId')} <code>{requestId}</code>
        </p>
      )}
    </div>
  )
}
