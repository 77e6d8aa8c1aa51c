import { useTranslation } from 'react-i18next'
import { useSettings } from '../../site/api/settings.ts'
import { ProviderButtons } from './ProviderButtons.tsx'
import { ScanPanel } from './ScanPanel.tsx'
import styles from './Sso.module.css'

/** Single sign-on on the login page: a code to scan, and the services to go to. */
export function SsoPanel() {
  const { t } = useTranslation('sso')
  const providers = useSettings()?.sso.providers ?? []
  const scan = providers.find(({ way }) => way === 'scan')
  const others = providers.filter(({ way }) => way === 'redirect')
  return (
    <>
      {scan !== undefined && <ScanPanel provider={scan.name} />}
      {scan !== undefined && others.length > 0 && <div className={styles.or}>{t('or')}</div>}
      {others.length > 0 && <ProviderButtons providers={others} />}
    </>
  )
}
