import { useTranslation } from 'react-i18next'
import styles from './StatusDot.module.css'

/** Online or offline, as colour and as a word. */
export function StatusDot(props: { online: boolean }) {
  const { t } = useTranslation('devices')
  return (
    <span className={`${styles.status} ${props.online ? styles.online : ''}`}>
      <span className={styles.dot} aria-hidden />
      {t(props.online ? 'online' : 'offline')}
    </span>
  )
}
