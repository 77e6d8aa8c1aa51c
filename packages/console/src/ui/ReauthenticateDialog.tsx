import { CallError } from '@homeport/contract'
import { Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from './describe-error.ts'

/** Asks for the own password; wrong ones are said under the field. */
export function ReauthenticateDialog(props: {
  confirm: (password: string) => Promise<unknown>
  onConfirmed: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const [form] = Form.useForm<{ password: string }>()
  const [isBusy, setBusy] = useState(false)

  const submit = async ({ password }: { password: string }) => {
    setBusy(true)
    try {
      await props.confirm(password)
      props.onConfirmed()
    } catch (error) {
      const isWrong = error instanceof CallError && error.code === 'wrong_password'
      const text = isWrong ? t('reauthenticate.wrong') : describeError(error, t)
      form.setFields([{ name: 'password', errors: [text] }])
      form.focusField('password')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('reauthenticate.title')}
      okText={t('action.confirm')}
      cancelText={t('action.cancel')}
      confirmLoading={isBusy}
      onOk={form.submit}
      onCancel={props.onCancel}
    >
      <p>{t('reauthenticate.detail')}</p>
      <Form
        form={form}
        // Its fields take their ids from it; without it `password` would be the id of a form on the page behind.
        name="reauthenticate"
        layout="vertical"
        requiredMark={false}
        onFinish={submit}
      >
        <Form.Item
          name="password"
          label={t('reauthenticate.password')}
          rules={[{ required: true, message: t('field.required') }]}
        >
          <Input.Password autoFocus autoComplete="current-password" maxLength={256} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
