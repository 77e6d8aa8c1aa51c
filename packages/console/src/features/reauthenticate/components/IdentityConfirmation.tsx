import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useSettings } from '../../site/api/settings.ts'
import { identitiesQuery } from '../../sso/api/identities.ts'
import { useProviderName } from '../../sso/provider-name.ts'
import { confirmAtProvider } from '../api/confirm.ts'
import styles from './Confirmation.module.css'

/** The way by another service, for each one that is set up here and linked to the account. */
export function IdentityConfirmation() {
  const { t } = useTranslation('reauthenticate')
  const errorText = useErrorText()
  const nameOf = useProviderName()
  const { data: identities = [] } = useQuery(identitiesQuery)
  const providers = (useSettings()?.sso.providers ?? []).filter(({ name }) =>
    identities.some(({ provider }) => provider === name),
  )
  const [leavingTo, setLeavingTo] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  if (providers.length === 0) return null

  const confirm = async (provider: string) => {
    setLeavingTo(provider)
    setFailure(undefined)
    try {
      await confirmAtProvider(provider)
    } catch (error) {
      setLeavingTo(undefined)
      setFailure(error)
    }
  }
  return (
    <div className={styles.ways}>
      {providers.map(provider => (
        <Button
          key={provider.name}
          block
          loading={leavingTo === provider.name}
          disabled={leavingTo !== undefined && leavingTo !== provider.name}
          onClick={() => confirm(provider.name)}
        >
          {t('identity', { name: nameOf(provider) })}
        </Button>
      ))}
      <p className={styles.note}>{t('identityDetail')}</p>
      <div aria-live="polite">
        {failure !== undefined && <Notice tone="error">{errorText(failure)}</Notice>}
      </div>
    </div>
  )
}
