import { useTranslation } from 'react-i18next'
import { type PasswordStrength, ratePassword } from '../../account/password-strength.ts'
import styles from './StrengthMeter.module.css'

const widths: Record<PasswordStrength, string> = {
  short: '15%',
  weak: '35%',
  fair: '65%',
  strong: '100%',
}

/** A hint how well a new password would hold; nothing while there is none. */
export function StrengthMeter(props: { password: string; username: string }) {
  const { t } = useTranslation('sign-in')
  if (props.password === '') return null
  const strength = ratePassword(props.password, props.username)
  return (
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
  )
}
