import type { Passkey } from '@homeport/contract'
import { Form, Input, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { useDeletePasskey, useRenamePasskey } from '../api/passkeys.ts'

interface Props {
  passkey: Passkey
  frame: DialogFrame
}

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ passkey, frame }: Props) {
  const { t } = useTranslation(['second-factor', 'common'])
  const [form] = Form.useForm<{ name: string }>()
  const { mutate, isPending, error } = useRenamePasskey()
  return (
    <Modal
      {...frame}
      title={t('passkeys.renameTitle')}
      okText={t('common:action.save')}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={form.submit}
    >
      <Form
        form={form}
        name="rename-passkey"
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: passkey.name }}
        onFinish={({ name }: { name: string }) =>
          mutate({ id: passkey.id, name: name.trim() }, { onSuccess: frame.onCancel })
        }
      >
        <Form.Item
          name="name"
          label={t('passkeys.name')}
          rules={[{ required: true, whitespace: true, message: t('common:field.required') }]}
        >
          <Input autoFocus maxLength={64} autoComplete="off" />
        </Form.Item>
      </Form>
      <FailureNotice title={t('passkeys.renameFailed')} error={error} />
    </Modal>
  )
}

/** Asks before a passkey is taken away. */
export function DeletePasskeyDialog({ passkey, frame }: Props) {
  const { t } = useTranslation(['second-factor', 'common'])
  const { mutate, isPending, error } = useDeletePasskey()
  return (
    <Modal
      {...frame}
      title={t('passkeys.deleteTitle', { name: passkey.name })}
      okText={t('passkeys.delete')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate(passkey.id, { onSuccess: frame.onCancel })}
    >
      <p>{t('passkeys.deleteDetail')}</p>
      <FailureNotice title={t('passkeys.deleteFailed')} error={error} />
    </Modal>
  )
}
