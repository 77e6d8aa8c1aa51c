import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'

/** Says that two machines hold the key of this device, and how to part them. */
export function SharedKeyNotice() {
  const { t } = useTranslation('devices')
  return (
    <Alert
      type="warning"
      showIcon
      title={t('sharedKeyNotice.title')}
      description={t('sharedKeyNotice.detail')}
    />
  )
}
