import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'

/** The second question before a name opens to everybody (decisions.md section 5). Open while `name` is given. */
export function PublicConfirm(props: {
  name: string | undefined
  onConfirm: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation('records')
  return (
    <Modal
      open={props.name !== undefined}
      title={t('publicConfirm.title', { name: props.name ?? '' })}
      okText={t('publicConfirm.confirm')}
      okButtonProps={{ danger: true }}
      cancelText={t('publicConfirm.cancel')}
      onOk={props.onConfirm}
      onCancel={props.onCancel}
      width={440}
    >
      <p>{t('publicConfirm.detail')}</p>
      <p>{t('publicConfirm.advice')}</p>
    </Modal>
  )
}
