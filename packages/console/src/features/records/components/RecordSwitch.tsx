import type { RecordRow } from '@homeport/contract'
import { App, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { useSwitchRecord } from '../api/patch-record.ts'

/** Switches a record on or off at once; a refusal puts it back and says why. */
export function RecordSwitch(props: { record: RecordRow }) {
  const { t } = useTranslation('records')
  const { notification } = App.useApp()
  const describe = useErrorText()
  const { record } = props
  const { mutate, isPending } = useSwitchRecord(record)
  const change = (enabled: boolean) =>
    mutate(enabled, {
      onError: error =>
        notification.error({
          title: t('switchFailed', { name: record.name }),
          description: describe(error),
          role: 'alert',
        }),
    })
  return (
    <Switch
      checked={record.enabled}
      loading={isPending}
      onChange={change}
      aria-label={t('switchOn', { name: record.name })}
    />
  )
}
