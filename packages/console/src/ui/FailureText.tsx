import { CallError } from '@homeport/contract'
import { useTranslation } from 'react-i18next'
import { useErrorText } from './describe-error.ts'

/** Why something failed, as a sentence by code, and the request id to quote. */
export function FailureText(props: { error: unknown }) {
  const { t } = useTranslation()
  const describe = useErrorText()
  const { error } = props
  const requestId = error instanceof CallError ? error.requestId : undefined
  return (
    <>
      {describe(error)}
      {requestId !== undefined && (
        <div style={{ fontSize: 12 }}>
          {t('failure.requestId')} <code>{requestId}</code>
        </div>
      )}
    </>
  )
}
