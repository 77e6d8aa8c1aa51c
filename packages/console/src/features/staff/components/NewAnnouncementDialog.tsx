import { Form, Input, Modal, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { useFieldErrors } from '../../../ui/field-errors.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useCreateAnnouncement } from '../api/create-announcement.ts'

interface Values {
  title: string
  detail: string
  url: string
  display: boolean
}

/** Writes an announcement. */
export function NewAnnouncementDialog(props: { onClose: () => void }) {
  const { t } = useTranslation('staff')
  const common = useTranslation('common').t
  const errorText = useErrorText()
  const readFields = useFieldErrors()
  const [form] = Form.useForm<Values>()
  const { mutate, error, isPending } = useCreateAnnouncement()

  const submit = (values: Values) =>
    mutate(values, {
      onSuccess: props.onClose,
      onError: failure => form.setFields(readFields(failure, ['title', 'detail', 'url'])),
    })
  const required = { required: true, whitespace: true, message: common('field.required') }
  return (
    <Modal
      open
      title={t('announcements.publish')}
      okText={t('announcements.submit')}
      cancelText={common('action.cancel')}
      confirmLoading={isPending}
      mask={{ closable: false }}
      onOk={form.submit}
      onCancel={props.onClose}
    >
      {error !== null && <Notice tone="error">{errorText(error)}</Notice>}
      <Form
        form={form}
        name="announcement"
        layout="vertical"
        requiredMark={false}
        initialValues={{ title: '', detail: '', url: '', display: true }}
        onFinish={submit}
      >
        <Form.Item name="title" label={t('announcements.head')} rules={[required]}>
          <Input autoFocus maxLength={100} showCount />
        </Form.Item>
        <Form.Item name="detail" label={t('announcements.detail')} rules={[required]}>
          <Input.TextArea rows={4} maxLength={2000} showCount />
        </Form.Item>
        <Form.Item
          name="url"
          label={t('announcements.url')}
          extra={t('announcements.urlDetail')}
          validateTrigger="onBlur"
          rules={[{ pattern: /^$|^https?:\/\/\S+$/, message: t('announcements.urlForm') }]}
        >
          <Input inputMode="url" maxLength={500} placeholder="https://" />
        </Form.Item>
        <Form.Item name="display" label={t('announcements.display')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </Form>
    </Modal>
  )
}
