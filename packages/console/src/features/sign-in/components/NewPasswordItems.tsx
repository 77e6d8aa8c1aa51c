import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { type PasswordStrength, ratePassword } from '../../account/password-strength.ts'
import styles from './NewPasswordItems.module.css'

const widths: Record<PasswordStrength, string> = {
  short: '15%',
  weak: '35%',
  fair: '65%',
  strong: '100%',
}

/** Fields `password` and `confirmation` of a form that also has `username`; with a hint of the strength. */
export function NewPasswordItems() {
  const { t } = useTranslation('sign-in')
  const password: string = Form.useWatch('password') ?? ''
  const username: string = Form.useWatch('username') ?? ''
  const strength = ratePassword(password, username)
  return (
    <>
      <Form.Item
        name="password"
        label={t('newPassword')}
        validateTrigger="onBlur"
        rules={[
          { required: true, message: t('needed') },
          { min: 8, message: t('problem.passwordShort') },
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
      {password !== '' && (
        <p className={styles.hint} role="status">
          <span className={styles.meter} aria-hidden>
            <span
              className={styles.level}
              data-strength={strength}
              style={{ width: widths[strength] }}
            />
          </span>
          {t(`strength.${strength}`)}
        </p>
      )}
      <Form.Item
        name="confirmation"
        label={t('confirmation')}
        dependencies={['password']}
        validateTrigger="onBlur"
        rules={[
          { required: true, message: t('needed') },
          ({ getFieldValue }) => ({
            validator: (_, typed: unknown) =>
              typed === undefined || typed === '' || typed === getFieldValue('password')
                ? Promise.resolve()
                : Promise.reject(new Error(t('problem.different'))),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
    </>
  )
}
