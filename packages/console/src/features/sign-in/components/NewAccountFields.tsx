import { useTranslation } from 'react-i18next'
import { PasswordField, TextField } from '../../../ui/fields.tsx'
import type { FieldBinding } from '../../../ui/use-fields.ts'
import { StrengthMeter } from './StrengthMeter.tsx'

/** Name, password with its strength, and the password once more. */
export function NewAccountFields(props: {
  bind: (name: 'username' | 'password' | 'confirmation') => FieldBinding
}) {
  const { t } = useTranslation('sign-in')
  const username = props.bind('username')
  const password = props.bind('password')
  return (
    <>
      <TextField
        label={t('username')}
        field={username}
        autoFocus
        autoComplete="username"
        maxLength={32}
      />
      <PasswordField
        label={t('newPassword')}
        field={password}
        autoComplete="new-password"
        maxLength={128}
      />
      <StrengthMeter password={password.value} username={username.value} />
      <PasswordField
        label={t('confirmation')}
        field={props.bind('confirmation')}
        autoComplete="new-password"
        maxLength={128}
      />
    </>
  )
}
