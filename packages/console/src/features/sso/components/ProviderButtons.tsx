import type { SsoProvider } from '@homeport/contract'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useErrorText } from '../../../ui/describe-error.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { TermsField } from '../../sign-in/components/TermsField.tsx'
import { useChecks } from '../../sign-in/components/use-checks.ts'
import { hasAcceptedTerms, rememberAcceptedTerms } from '../../sign-in/terms.ts'
import { goToProvider, readOnward, startSignOn } from '../api/start.ts'
import { useProviderName } from '../provider-name.ts'
import styles from './Sso.module.css'

/** A button for each provider that the browser goes to; the terms come first, since an account may come of it. */
export function ProviderButtons({ providers }: { providers: readonly SsoProvider[] }) {
  const { t } = useTranslation('sso')
  const errorText = useErrorText()
  const nameOf = useProviderName()
  const checks = useChecks()
  const [query] = useSearchParams()
  const [leavingTo, setLeavingTo] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const fields = useFields({ terms: hasAcceptedTerms() ? 'yes' : '' }, { terms: checks.terms })

  const goTo = (provider: string) =>
    fields.onSubmit(async () => {
      setLeavingTo(provider)
      setFailure(undefined)
      try {
        rememberAcceptedTerms()
        const terms = { accepted_terms_of_service: true } as const
        goToProvider(await startSignOn({ provider, ...terms, ...readOnward(query) }))
      } catch (error) {
        setLeavingTo(undefined)
        setFailure(error)
      }
    })
  return (
    // Enter chooses none of the buttons.
    <form
      ref={fields.form}
      noValidate
      className={styles.providers}
      onSubmit={event => event.preventDefault()}
    >
      {failure !== undefined && <Notice tone="error">{errorText(failure)}</Notice>}
      <TermsField field={fields.bind('terms')} />
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          size="large"
          block
          loading={leavingTo === name}
          disabled={leavingTo !== undefined && leavingTo !== name}
          onClick={goTo(name)}
        >
          {t('signInWith', { name: nameOf({ name, label }) })}
        </Button>
      ))}
    </form>
  )
}
