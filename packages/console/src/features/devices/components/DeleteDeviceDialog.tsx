import type { RouterRow } from '@homeport/contract'
import { Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { useDeleteRouter } from '../api/delete-router.ts'

/** Says what is lost with a device and deletes it once its name was typed. */
export function DeleteDeviceDialog(props: {
  device: RouterRow
  frame: DialogFrame
  onDeleted: () => void
}) {
  const { t } = useTranslation(['devices', 'common'])
  const { device } = props
  const typedId = useId()
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useDeleteRouter(device.id)
  const isConfirmed = typed.trim() === device.name.trim()
  const names = device.records.map(record => record.name).join(', ')
  const remove = () => {
    if (isConfirmed && !isPending) mutate(undefined, { onSuccess: props.onDeleted })
  }
  return (
    <Modal
      {...props.frame}
      title={t('remove.title', { name: device.name })}
      okText={t('remove.confirm')}
      okButtonProps={{ danger: true, disabled: !isConfirmed }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={remove}
    >
      <p>{t('remove.what')}</p>
      <ul>
        <li>{t('remove.credential')}</li>
        {device.records.length === 0 ? (
          <li>{t('remove.noRecords')}</li>
        ) : (
          <>
            <li>{t('remove.records', { number: device.records.length, names })}</li>
            <li>{t('remove.reserved')}</li>
          </>
        )}
      </ul>
      <p>
        <strong>{t('remove.irreversible')}</strong>
      </p>
      <label htmlFor={typedId}>{t('remove.type', { name: device.name })}</label>
      <Input
        id={typedId}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onPressEnter={remove}
        autoComplete="off"
        style={{ marginTop: 4 }}
      />
      <FailureNotice title={t('remove.failed')} error={error} />
    </Modal>
  )
}
