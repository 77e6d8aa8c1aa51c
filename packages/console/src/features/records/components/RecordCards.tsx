import type { RecordRow } from '@homeport/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSwitchRecord } from '../api/switch-record.ts'
import { AccessTag } from './AccessTag.tsx'
import { RecordAddress } from './RecordAddress.tsx'
import { RecordSwitch, SwitchFailure } from './RecordSwitch.tsx'
import styles from './Records.module.css'
import type { RecordActions } from './record-actions.ts'

/** The records of a device on a narrow screen. */
export function RecordCards(props: { records: readonly RecordRow[]; actions: RecordActions }) {
  const { t } = useTranslation('records')
  return (
    <ul className={styles.cards} aria-label={t('title')}>
      {props.records.map(record => (
        <Card key={record.id} record={record} actions={props.actions} />
      ))}
    </ul>
  )
}

function Card(props: { record: RecordRow; actions: RecordActions }) {
  const { t } = useTranslation('records')
  const { record, actions } = props
  const switching = useSwitchRecord(record)
  return (
    <li className={`${styles.card} ${record.enabled ? '' : styles.off}`}>
      <div className={styles.cardHead}>
        <RecordAddress record={record} />
        <RecordSwitch switching={switching} />
      </div>
      <SwitchFailure switching={switching} />
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
  )
}
