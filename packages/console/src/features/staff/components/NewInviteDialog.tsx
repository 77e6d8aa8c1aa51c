import { Form, Input, InputNumber, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { useErrorText } from '../../../ui/describe-error.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { useCreateInvite } from '../api/create-invite.ts'

interface Values {
  remark: string
  days: number
}

/** Makes a sign-up link and shows its address, which is never shown again. */
export function NewInviteDialog(props: { onClose: () => void }) {
  const { t } = useTranslation('staff')
  const common = useTranslation('common').t
  const errorText = useErrorText()
  const [form] = Form.useForm<Values>()
  const { mutate, data, error, isPending } = useCreateInvite()

  if (data !== undefined) {
    return (
      <Modal
        open
        title={t('invites.made')}
        mask={{ closable: false }}
        onCancel={props.onClose}
        footer={<CopyButton type="primary" text={data.url} label={t('invites.copy')} />}
      >
        <p>{t('invites.madeDetail')}</p>
        <p style={{ textAlign: 'center' }}>
          <QrCode data={data.url} label={t('invites.qr')} />
        </p>
        <Input.TextArea
          readOnly
          autoSize
          value={data.url}
          aria-label={t('invites.address')}
          onFocus={event => event.target.select()}
        />
      </Modal>
    )
  }
  return (
    <Modal
      open
      title={t('invites.make')}
      okText={t('invites.submit')}
      cancelText={common('action.cancel')}
      confirmLoading={isPending}
      onOk={form.submit}
      onCancel={props.onClose}
    >
      {error !== null && <Notice tone="error">{errorText(error)}</Notice>}
      <Form
        form={form}
        name="invite"
        layout="vertical"
        requiredMark={false}
        initialValues={{ remark: '', days: 7 }}
        onFinish={values => mutate(values)}
      >
        <Form.Item name="remark" label={t('invites.remark')} extra={t('invites.remarkDetail')}>
          <Input autoFocus maxLength={100} />
        </Form.Item>
        <Form.Item
          name="days"
          label={t('invites.days')}
          rules={[{ required: true, message: common('field.required') }]}
        >
          <InputNumber min={1} max={30} precision={0} suffix={t('invites.dayUnit')} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
