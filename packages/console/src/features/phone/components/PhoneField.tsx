import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/fields.tsx'
import type { FieldBinding } from '../../../ui/use-fields.ts'

/** A field for a telephone number. */
export function PhoneField(props: { field: FieldBinding; label?: string; autoFocus?: boolean }) {
  const { t } = useTranslation('phone')
  return (
    <TextField
      label={props.label ?? t('phone')}
      field={props.field}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      maxLength={32}
      autoFocus={props.autoFocus ?? false}
    />
  )
}
