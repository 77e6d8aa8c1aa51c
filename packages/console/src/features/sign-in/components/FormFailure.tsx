import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'

/** Why the form could not be sent, above it. Nothing where nothing went wrong. */
export function FormFailure(props: { message: string | undefined; requestId: string | undefined }) {
  const { t } = useTranslation()
  if (props.message === undefined) return null
  const { requestId } = props
  return (
    <Alert
      role="alert"
      type="error"
      showIcon
      title={props.message}
      description={
        requestId === undefined ? undefined : (
          <>
            {t('failure.requestId')} <code>{requestId}</code>
          </>
        )
      }
      style={{ marginBottom: 16 }}
    />
  )
}
