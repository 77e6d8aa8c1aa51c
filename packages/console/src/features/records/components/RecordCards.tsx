import type { RecordRow } from '@homeport/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { AccessTag } from './AccessTag.tsx'
import { RecordAddress } from './RecordAddress.tsx'
import { RecordSwitch } from './RecordSwitch.tsx'
import styles from './Records.module.css'
import type { RecordActions } from './record-actions.ts'

/** The records of a device on a narrow screen. */
export function RecordCards(props: { records: readonly RecordRow[]; actions: RecordActions }) {
  const { t } = useTranslation('records')
  const { actions } = props
  return (
    <ul className={styles.cards} aria-label={t('title')}>
      {props.records.map(record => (
        <li key={record.id} className={`${styles.card} ${record.enabled ? '' : styles.off}`}>
          <div className={styles.cardHead}>
            <RecordAddress record={record} />
            <RecordSwitch record={record} />
          </div>
          {record.remark !== '' && <div className={styles.remark}>{record.remark}</div>}
          <div className={styles.cardRow}>
            <AccessTag record={record} />
            <span className={styles.target}>{record.target}</span>
          </div>
          <div className={styles.cardActions}>
            <Button onClick={() => actions.onCheck(record)}>{t('check')}</Button>
            <Button onClick={() => actions.onEdit(record)}>{t('edit')}</Button>
            <Button danger onClick={() => actions.onDelete(record)}>
              {t('remove')}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
