import { Alert } from 'antd'
import { isAborted } from './describe-error.ts'
import { FailureText } from './FailureText.tsx'

/** A failed action beside what caused it: what did not happen, why, and the request id to quote. */
export function FailureNotice(props: { title: string; error: unknown }) {
  const { title, error } = props
  if (error == null || isAborted(error)) return null
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={title}
      description={<FailureText error={error} />}
      style={{ marginBlock: 12 }}
    />
  )
}
