import { useTranslation } from 'react-i18next'
import { usePasswordStrength } from '../../account/use-password-strength.ts'
import styles from './StrengthMeter.module.css'

const widths = {
  short: '15%',
  weak: '35%',
  fair: '65%',
  strong: '100%',
} as const

/** A hint how well a new password would hold; nothing while there is none. */
export function StrengthMeter(props: { password: string; username: string }) {
  const { t } = useTranslation('sign-in')
  const strength = usePasswordStrength(props.password, [props.username])
  if (strength === undefined) return null
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
