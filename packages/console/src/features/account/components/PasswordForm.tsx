import { CallError } from '@homeport/contract'
import { Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { placeAccountProblems } from '../account-problems.ts'
import { useChangePassword } from '../api/change-password.ts'
import { usePasswordStrength } from '../use-password-strength.ts'
import styles from './Account.module.css'

interface Values {
  old_password?: string
  new_password: string
  repeat: string
}

/** Changes the password; every other session ends. */
export function PasswordForm(props: {
  username: string
  about: readonly string[]
  /** There is no password yet. */
  isFirst: boolean
}) {
  const { t } = useTranslation(['account', 'common'])
  const [form] = Form.useForm<Values>()
  const { mutate, isPending, isSuccess, error, reset } = useChangePassword()
  const password = Form.useWatch('new_password', form) ?? ''
  const placed = error instanceof CallError ? placeAccountProblems(error) : []

  const change = ({ old_password, new_password }: Values) =>
    mutate(
      { new_password, ...(old_password === undefined ? {} : { old_password }) },
      {
        onSuccess: () => form.resetFields(),
        onError: failure => {
          if (!(failure instanceof CallError)) return
          for (const problem of placeAccountProblems(failure)) {
            if (problem.field === 'old_password') {
              const text = t(`problems.old_password.${problem.code}`)
              form.setFields([{ name: 'old_password', errors: [text] }])
              form.focusField('old_password')
            } else if (problem.field === 'new_password') {
              const text = t(`problems.new_password.${problem.code}`)
              form.setFields([{ name: 'new_password', errors: [text] }])
            }
          }
        },
      },
    )
  return (
    <Form
      form={form}
      name="password"
      layout="vertical"
      requiredMark={false}
      // Clearing the fields after success is no new input: the confirmation stays.
      onValuesChange={() => reset()}
      onFinish={change}
      className={styles.form ?? ''}
    >
      <input
        className="visually-hidden"
        type="text"
        name="username"
        value={props.username}
        autoComplete="username"
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      {!props.isFirst && (
        <Form.Item
          name="old_password"
          label={t('password.old')}
          rules={[{ required: true, message: t('problems.old_password.required') }]}
        >
          <Input.Password autoComplete="current-password" maxLength={256} />
        </Form.Item>
      )}
      <Form.Item
        name="new_password"
        label={t('password.new')}
        validateTrigger="onBlur"
        extra={password !== '' && <Strength password={password} about={props.about} />}
        rules={[
          { required: true, message: t('problems.new_password.required') },
          { min: 8, message: t('problems.new_password.short') },
          ({ getFieldValue }) => ({
            validator: async (_, text: string) => {
              if (text && text === getFieldValue('old_password')) {
                throw new Error(t('problems.new_password.same'))
              }
            },
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
      <Form.Item
        name="repeat"
        label={t('password.repeat')}
        dependencies={['new_password']}
        validateTrigger="onBlur"
        rules={[
          { required: true, message: t('problems.repeat.required') },
          ({ getFieldValue }) => ({
            validator: async (_, text: string) => {
              if (text && text !== getFieldValue('new_password')) {
                throw new Error(t('problems.repeat.differs'))
              }
            },
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
      {placed.length === 0 && <FailureNotice title={t('password.failed')} error={error} />}
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t(props.isFirst ? 'password.submitFirst' : 'password.submit')}
      </Button>
      <p role="status" className={styles.done}>
        {isSuccess && t('password.done')}
      </p>
    </Form>
  )
}

function Strength(props: { password: string; about: readonly string[] }) {
  const { t } = useTranslation('account')
  const strength = usePasswordStrength(props.password, props.about)
  if (strength === undefined) return null
  return (
    <div className={styles.strength}>
      <div className={`${styles.bars} ${styles[strength] ?? ''}`} aria-hidden>
        <span />
        <span />
        <span />
      </div>
      <span role="status">
        <span className="visually-hidden">{t('password.strength.label')} </span>
        {t(`password.strength.${strength}`)}
      </span>
    </div>
  )
}
