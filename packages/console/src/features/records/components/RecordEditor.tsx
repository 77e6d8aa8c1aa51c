import type { RecordRow, RouterRow } from '@homeport/contract'
import { Button, Form, Modal } from 'antd'
import { type Ref, useId, useImperativeHandle, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyRecordValues, type RecordValues, valuesOfRecord } from '../record-form.ts'
import { PublicConfirm } from './PublicConfirm.tsx'
import styles from './RecordForm.module.css'
import { RecordForm } from './RecordForm.tsx'
import { SavedRecord } from './SavedRecord.tsx'
import { useSaveRecord } from './use-save-record.ts'

/** How the drawer's frame asks its content to close: unsaved input may object. */
export interface EditorHandle {
  leave: () => void
}

/** The content of the record drawer: the form, then what came of saving it. */
export function RecordEditor(props: {
  device: RouterRow
  record: RecordRow | undefined
  onClose: () => void
  onCheck: (record: RecordRow) => void
  onAnother: () => void
  ref: Ref<EditorHandle>
}) {
  const { t } = useTranslation('records')
  const { device, record, onClose } = props
  const [form] = Form.useForm<RecordValues>()
  const formId = useId()
  const [isDiscarding, setDiscarding] = useState(false)
  const saving = useSaveRecord(device, record, form)
  const { saved } = saving
  const leave = () => {
    if (saved === undefined && form.isFieldsTouched()) setDiscarding(true)
    else onClose()
  }
  useImperativeHandle(props.ref, () => ({ leave }))
  if (saved !== undefined) {
    return (
      <div className={styles.scroll}>
        <SavedRecord
          record={saved}
          device={device}
          isNew={record === undefined}
          onCheck={() => props.onCheck(saved)}
          onAnother={props.onAnother}
          onDone={onClose}
        />
      </div>
    )
  }
  return (
    <>
      <div className={styles.scroll}>
        <RecordForm
          id={formId}
          form={form}
          initialValues={record === undefined ? emptyRecordValues : valuesOfRecord(record)}
          isNew={record === undefined}
          isDeviceOnline={device.status === 'online'}
          error={saving.unplacedError}
          problemFields={saving.problemFields}
          onSubmit={saving.submit}
        />
      </div>
      <div className={styles.foot}>
        <Button onClick={leave}>{t('drawer.cancel')}</Button>
        <Button type="primary" htmlType="submit" form={formId} loading={saving.isPending}>
          {t(record === undefined ? 'drawer.add' : 'drawer.save')}
        </Button>
      </div>
      <PublicConfirm
        name={saving.asking?.name}
        onConfirm={saving.confirmPublic}
        onCancel={saving.cancelPublic}
      />
      <Modal
        open={isDiscarding}
        title={t('drawer.discardTitle')}
        okText={t('drawer.discard')}
        okButtonProps={{ danger: true }}
        cancelText={t('drawer.keep')}
        onOk={() => {
          setDiscarding(false)
          onClose()
        }}
        onCancel={() => setDiscarding(false)}
        width={400}
      />
    </>
  )
}
