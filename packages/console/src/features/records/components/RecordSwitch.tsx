import type { RecordRow } from '@homeport/contract'
import { App, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureText } from '../../devices/components/FailureText.tsx'
import { useSwitchRecord } from '../api/switch-record.ts'

/** Switches a record on or off at once; a refusal puts it back and says why. */
export function RecordSwitch(props: { record: RecordRow }) {
  const { t } = useTranslation('records')
  const { notification } = App.useApp()
  const { record } = props
  const { mutate, isPending } = useSwitchRecord()
  const change = (enabled: boolean) =>
    mutate(
      { before: record, enabled },
      {
        onError: error =>
          notification.error({
            title: t('switchFailed', { name: record.name }),
            description: <FailureText error={error} />,
            role: 'alert',
          }),
      },
    )
  return (
    <Switch
      checked={record.enabled}
      loading={isPending}
      onChange={change}
      aria-label={t('switchOn', { name: record.name })}
    />
  )
}
