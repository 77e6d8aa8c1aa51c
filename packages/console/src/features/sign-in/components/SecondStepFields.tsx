import { useTranslation } from 'react-i18next'
import { TextButton, TextField } from '../../../ui/fields.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { FieldBinding } from '../../../ui/use-fields.ts'

/** What takes the place of account and password once those were right and a code is asked for. */
export function SecondStepFields(props: { field: FieldBinding; onBack: () => void }) {
  const { t } = useTranslation('sign-in')
  return (
    <>
      <Notice>{t('secondStep.detail')}</Notice>
      <TextField
        label={t('secondStep.code')}
        field={props.field}
        autoFocus
        autoComplete="one-time-code"
        maxLength={32}
      />
      <p>
        <TextButton onClick={props.onBack}>{t('secondStep.back')}</TextButton>
      </p>
    </>
  )
}
