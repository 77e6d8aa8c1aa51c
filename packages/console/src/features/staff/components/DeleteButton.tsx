import { DeleteOutlined } from '@ant-design/icons'
import { App, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'

/** Deletes after a question; a failure is said in a message. `label` names the row for screen readers. */
export function DeleteButton(props: {
  label: string
  question: string
  onDelete: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const { message } = App.useApp()
  const errorText = useErrorText()
  const confirm = () =>
    props.onDelete().catch((error: unknown) => {
      message.error(errorText(error))
    })
  return (
    <Popconfirm
      title={props.question}
      okText={t('action.delete')}
      okButtonProps={{ danger: true }}
      cancelText={t('action.cancel')}
      onConfirm={confirm}
    >
      <Button type="text" danger icon={<DeleteOutlined />} aria-label={props.label} />
    </Popconfirm>
  )
}
