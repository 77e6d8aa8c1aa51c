import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField, TextButton } from '../../../ui/fields.tsx'
import type { FieldBinding } from '../../../ui/use-fields.ts'

const TermsDialog = lazy(async () => ({
  default: (await import('./TermsDialog.tsx')).TermsDialog,
}))

/** The terms check box and the way to the terms. */
export function TermsField(props: { field: FieldBinding }) {
  const { t } = useTranslation('sign-in')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <CheckField
        field={props.field}
        extra={<TextButton onClick={() => setOpen(true)}>{t('terms.title')}</TextButton>}
      >
        {t('terms.agree')}
      </CheckField>
      {isOpen && (
        <Suspense>
          <TermsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
