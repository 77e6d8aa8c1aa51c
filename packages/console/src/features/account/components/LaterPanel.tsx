import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './Account.module.css'

const names = ['phone'] as const

/** What will guard the account one day, said to be not there yet. */
export function LaterPanel() {
  const { t } = useTranslation('account')
  return (
    <ul className={styles.rows}>
      {names.map(name => (
        <li key={name} className={styles.row}>
          <div className={styles.rowText}>
            <div className={styles.rowTitle}>
              {t(`later.${name}`)} <Tag>{t('later.badge')}</Tag>
            </div>
            <div className={styles.soft}>{t(`later.${name}Detail`)}</div>
          </div>
        </li>
      ))}
    </ul>
  )
}
