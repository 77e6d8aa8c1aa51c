import type { RecordRow } from '@homeport/contract'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { useDeleteRecord } from '../api/delete-record.ts'

/** Says what ends with a record and takes it back. */
export function DeleteRecordDialog(props: { record: RecordRow; frame: DialogFrame }) {
  const { t } = useTranslation(['records', 'common'])
  const { record, frame } = props
  const { mutate, isPending, error } = useDeleteRecord(record)
  return (
    <Modal
      {...frame}
      title={t('removeConfirm.title', { name: record.name })}
      okText={t('removeConfirm.confirm')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate(undefined, { onSuccess: frame.onCancel })}
    >
      <p>{t('removeConfirm.detail', { url: record.url })}</p>
      <p>{t('removeConfirm.reserved')}</p>
      <FailureNotice title={t('removeConfirm.failed')} error={error} />
    </Modal>
  )
}
