import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'

/** The terms of service. */
export function TermsDialog(props: { onClose: () => void }) {
  const { t } = useTranslation('sign-in')
  return (
    <Modal
      open
      title={t('terms.title')}
      onCancel={props.onClose}
      footer={
        <Button type="primary" onClick={props.onClose}>
          {t('terms.close')}
        </Button>
      }
    >
      <ol>
        <li>{t('terms.operator')}</li>
        <li>{t('terms.content')}</li>
        <li>{t('terms.security')}</li>
        <li>{t('terms.data')}</li>
      </ol>
    </Modal>
  )
}
