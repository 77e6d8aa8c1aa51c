import { Alert } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { useConfirmEmail } from '../api/email.ts'

const parameter = 'confirm_email'

/** Where the link of a letter leads: confirms the address at once, and says how that went. */
export function ConfirmationNotice() {
  const { t } = useTranslation('email')
  const [query, setQuery] = useSearchParams()
  const [seen, setSeen] = useState('')
  const { mutate, isPending, isSuccess, error } = useConfirmEmail()
  const token = query.get(parameter) ?? ''

  // Taken out of the address bar and the history before it is used: a page that is loaded again does not use it once more.
  useEffect(() => {
    if (token === '') return
    setSeen(token)
    setQuery({}, { replace: true })
  }, [token, setQuery])
  useEffect(() => {
    if (seen !== '') mutate(seen)
  }, [seen, mutate])

  if (isPending) return <p role="status">{t('confirming')}</p>
  if (isSuccess) return <Alert type="success" showIcon role="status" title={t('confirmed')} />
  return <FailureNotice title={t('confirmFailed')} error={error} />
}
