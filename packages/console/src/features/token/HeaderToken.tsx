import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { useProfile } from '../sign-in/api/profile.ts'
import styles from './components/Token.module.css'
import { maskToken } from './mask-token.ts'

/** The masked token with copy, for the header. Waits for its texts without holding the header up. */
export function HeaderToken() {
  return (
    <Suspense>
      <TokenWithCopy />
    </Suspense>
  )
}

/** What the token is called and its masked form; waits for its texts. */
export function MaskedToken() {
  const { t } = useTranslation('token')
  const token = useProfile()?.token
  return (
    <>
      <span className={styles.label}>{t('label')}</span>{' '}
      <code className={styles.masked}>{maskToken(token ?? '')}</code>
    </>
  )
}

function TokenWithCopy() {
  const { t } = useTranslation('token')
  const token = useProfile()?.token
  if (token === undefined) return null
  return (
    <span className={styles.header}>
      <MaskedToken />
      <CopyButton text={token} type="text" iconOnly label={t('copy')} />
    </span>
  )
}
