import { ExportOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { AnnouncementRow } from '../announcements.ts'
import styles from './AnnouncementList.module.css'

/** The rows; one with an address opens it in a new window that cannot reach ours. */
export function AnnouncementList(props: { rows: readonly AnnouncementRow[] }) {
  const { t } = useTranslation('announcements')
  return (
    <ul className={styles.list}>
      {props.rows.map(({ id, text, link }) => (
        <li key={id}>
          {link === undefined ? (
            <span className={styles.row}>{text}</span>
          ) : (
            <a className={styles.row} href={link} target="_blank" rel="noopener noreferrer">
              {text}
              <ExportOutlined className={styles.opens ?? ''} aria-label={t('opensWindow')} />
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
