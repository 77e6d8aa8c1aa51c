import { CallError, describeBrowser } from '@homeport/contract'
import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { useAddPasskey } from '../api/add-passkey.ts'
import { useSecondFactor } from '../api/second-factor.ts'
import { CeremonyEnded, PasskeyKnown } from '../ceremony.ts'

interface Values {
  name: string
  code?: string
}

/** Names a passkey and has the browser make it; asks for a two-step code where those are on. */
export function AddPasskeyDialog(props: { onClose: () => void }) {
  const { t } = useTranslation(['second-factor', 'common'])
  const [form] = Form.useForm<Values>()
  const [isOpen, setOpen] = useState(true)
  const { mutate, isPending, error, reset } = useAddPasskey()
  const needsCode = useSecondFactor().data?.enabled_at != null
  const isWrongCode = error instanceof CallError && error.code === 'second_factor_wrong'
  const said =
    error instanceof CeremonyEnded
      ? t('passkeys.ended')
      : error instanceof PasskeyKnown
        ? t('passkeys.known')
        : undefined

  const add = ({ name, code = '' }: Values) =>
    mutate(
      { name: name.trim(), code: code.trim() },
      {
        onSuccess: () => setOpen(false),
        onError: failure => {
          if (!(failure instanceof CallError) || failure.code !== 'second_factor_wrong') return
          form.setFields([{ name: 'code', errors: [t('code.wrong')] }])
          form.focusField('code')
        },
      },
    )
  return (
    <Modal
      open={isOpen}
      title={t('passkeys.add')}
      okText={t('passkeys.create')}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={form.submit}
      onCancel={() => setOpen(false)}
      afterClose={props.onClose}
    >
      <p>{t('passkeys.addDetail')}</p>
      <Form
        form={form}
        name="add-passkey"
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: describeBrowser(navigator.userAgent) }}
        onValuesChange={reset}
        onFinish={add}
      >
        <Form.Item
          name="name"
          label={t('passkeys.name')}
          rules={[{ required: true, whitespace: true, message: t('common:field.required') }]}
        >
          <Input autoFocus maxLength={64} autoComplete="off" />
        </Form.Item>
        {needsCode && (
          <Form.Item
            name="code"
            label={t('code.any')}
            rules={[{ required: true, min: 6, message: t('code.needed') }]}
          >
            <Input autoComplete="one-time-code" spellCheck={false} maxLength={32} />
          </Form.Item>
        )}
      </Form>
      {said !== undefined && <Alert type="info" showIcon role="alert" title={said} />}
      {said === undefined && !isWrongCode && (
        <FailureNotice title={t('passkeys.addFailed')} error={error} />
      )}
    </Modal>
  )
}
