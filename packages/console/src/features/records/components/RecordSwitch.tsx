import { Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import type { RecordSwitching } from '../api/switch-record.ts'

/** Switches a record on or off at once; a refusal puts it back. `switching` belongs to the record's row. */
export function RecordSwitch(props: { switching: RecordSwitching }) {
  const { t } = useTranslation('records')
  const { record, isPending, change } = props.switching
  return (
    <Switch
      checked={record.enabled}
      loading={isPending}
      onChange={change}
      aria-label={t('switchOn', { name: record.name })}
    />
  )
}

/** Why the last switch was refused, inside the record's row: a message over the page would cover other things. */
export function SwitchFailure(props: { switching: RecordSwitching }) {
  const { t } = useTranslation('records')
  const { record, error } = props.switching
  return <FailureNotice title={t('switchFailed', { name: record.name })} error={error} />
}
