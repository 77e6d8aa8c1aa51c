import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'

/** Field `username` of a new account. The server has the last word on its form. */
export function UsernameItem() {
  const { t } = useTranslation('sign-in')
  return (
    <Form.Item
      name="username"
      label={t('username')}
      validateTrigger="onBlur"
      rules={[
        { required: true, message: t('needed') },
        { min: 3, max: 32, message: t('problem.usernameForm') },
        {
          pattern: /^(?!\d+$)[\p{Script=Han}A-Za-z0-9][\p{Script=Han}A-Za-z0-9_.-]*$/u,
          message: t('problem.usernameForm'),
        },
      ]}
    >
      <Input
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
      />
    </Form.Item>
  )
}
