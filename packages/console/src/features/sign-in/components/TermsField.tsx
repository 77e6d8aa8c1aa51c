import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField, TextButton } from '../../../ui/fields.tsx'
import type { FieldBinding } from '../../../ui/use-fields.ts'

const TermsDialog = lazy(async () => ({
  default: (await import('./TermsDialog.tsx')).TermsDialog,
}))

/** The terms check box and the way to the terms; `extra` stands at the end of the line. */
export function TermsField(props: { field: FieldBinding; extra?: ReactNode }) {
  const { t } = useTranslation('sign-in')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <CheckField
        field={props.field}
        extra={<TextButton onClick={() => setOpen(true)}>{t('terms.title')}</TextButton>}
        aside={props.extra}
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
