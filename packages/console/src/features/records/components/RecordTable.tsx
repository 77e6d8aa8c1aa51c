import { ApiOutlined, DeleteOutlined, EditOutlined } from '@ant-design/icons'
import type { RecordRow } from '@homeport/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSwitchRecord } from '../api/switch-record.ts'
import { AccessTag } from './AccessTag.tsx'
import { RecordAddress } from './RecordAddress.tsx'
import { RecordSwitch, SwitchFailure } from './RecordSwitch.tsx'
import styles from './Records.module.css'
import type { RecordActions } from './record-actions.ts'

const columns = ['name', 'target', 'access', 'enabled', 'actions'] as const

/** The records of a device on a wide screen. */
export function RecordTable(props: { records: readonly RecordRow[]; actions: RecordActions }) {
  const { t } = useTranslation('records')
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('title')}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column} scope="col">
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.records.map(record => (
          <Row key={record.id} record={record} actions={props.actions} />
        ))}
      </tbody>
    </table>
  )
}

function Row(props: { record: RecordRow; actions: RecordActions }) {
  const { t } = useTranslation('records')
  const { record, actions } = props
  const switching = useSwitchRecord(record)
  const buttons = [
    { key: 'check', icon: <ApiOutlined />, act: actions.onCheck },
    { key: 'edit', icon: <EditOutlined />, act: actions.onEdit },
    { key: 'remove', icon: <DeleteOutlined />, act: actions.onDelete },
  ] as const
  return (
    <tr className={record.enabled ? undefined : styles.off}>
      <td>
        <RecordAddress record={record} />
        {record.remark !== '' && <div className={styles.remark}>{record.remark}</div>}
        <SwitchFailure switching={switching} />
      </td>
      <td className={styles.target}>{record.target}</td>
      <td>
        <AccessTag record={record} />
      </td>
      <td>
        <RecordSwitch switching={switching} />
      </td>
      <td className={styles.actionsColumn}>
        {buttons.map(({ key, icon, act }) => (
          <Button
            key={key}
            type="text"
            icon={icon}
            danger={key === 'remove'}
            title={t(key)}
            aria-label={`${t(key)} ${record.name}`}
            onClick={() => act(record)}
          />
        ))}
      </td>
    </tr>
  )
}
