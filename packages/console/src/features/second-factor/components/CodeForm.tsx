import { CallError } from '@homeport/contract'
import { Form, Input } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'

/** One field for a code; a wrong one is said under it, any other failure above the buttons. */
export function CodeForm(props: {
  id: string
  label: string
  failed: string
  error: unknown
  onEdit: () => void
  onCode: (code: string) => void
}) {
  const { t } = useTranslation('second-factor')
  const [form] = Form.useForm<{ code: string }>()
  const { error } = props
  const isWrong = error instanceof CallError && error.code === 'second_factor_wrong'
  useEffect(() => {
    if (!isWrong) return
    form.setFields([{ name: 'code', errors: [t('code.wrong')] }])
    form.focusField('code')
  }, [form, isWrong, t])
  return (
    <Form
      form={form}
      id={props.id}
      name={props.id}
      layout="vertical"
      requiredMark={false}
      onValuesChange={props.onEdit}
      onFinish={({ code }: { code: string }) => props.onCode(code.trim())}
    >
      <Form.Item
        name="code"
        label={props.label}
        validateTrigger="onSubmit"
        rules={[
          { required: true, whitespace: true, message: t('code.needed') },
          { min: 6, message: t('code.short') },
        ]}
      >
        <Input
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={32}
        />
      </Form.Item>
      {!isWrong && <FailureNotice title={props.failed} error={error} />}
    </Form>
  )
}
