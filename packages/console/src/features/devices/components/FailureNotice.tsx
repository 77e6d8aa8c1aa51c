import { CallError } from '@homeport/contract'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { isAborted, useErrorText } from '../../../ui/describe-error.ts'

/** A failed action beside what caused it: what did not happen, why, and the request id to quote. */
export function FailureNotice(props: { title: string; error: unknown; onClose?: () => void }) {
  const { t } = useTranslation()
  const describe = useErrorText()
  const { title, error, onClose } = props
  if (error == null || isAborted(error)) return null
  const requestId = error instanceof CallError ? error.requestId : undefined
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={title}
      description={
        <>
          {describe(error)}
          {requestId !== undefined && (
            <div style={{ fontSize: 12 }}>
              {t('failure.requestId')} <code>{requestId}</code>
            </div>
          )}
        </>
      }
      closable={onClose === undefined ? false : { onClose }}
      style={{ marginBlock: 12 }}
    />
  )
}
