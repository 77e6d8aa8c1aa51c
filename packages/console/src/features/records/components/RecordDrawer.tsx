import type { RecordRow, RouterRow } from '@homeport/contract'
import { Button, Drawer, Form, Grid, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyRecordValues, type RecordValues, valuesOfRecord } from '../record-form.ts'
import { PublicConfirm } from './PublicConfirm.tsx'
import { RecordForm } from './RecordForm.tsx'
import { SavedRecord } from './SavedRecord.tsx'
import { useSaveRecord } from './use-save-record.ts'

interface DrawerProps {
  device: RouterRow
  /** The record to edit as it was when the drawer opened; undefined for a new one. */
  record: RecordRow | undefined
  onClose: () => void
  onCheck: (record: RecordRow) => void
}

/** Makes or changes a record. What was typed is kept until it is saved or given up knowingly. */
export function RecordDrawer(props: DrawerProps & { isOpen: boolean }) {
  const { isOpen, ...rest } = props
  const [round, setRound] = useState(0)
  return isOpen ? (
    <OpenDrawer
      key={`${rest.record?.id}-${round}`}
      {...rest}
      onAnother={() => setRound(round + 1)}
    />
  ) : null
}

function OpenDrawer(props: DrawerProps & { onAnother: () => void }) {
  const { t } = useTranslation('records')
  const { device, record, onClose } = props
  const [form] = Form.useForm<RecordValues>()
  const formId = useId()
  const isPhone = Grid.useBreakpoint().sm === false
  const [isDiscarding, setDiscarding] = useState(false)
  const saving = useSaveRecord(device, record, form)
  const { saved } = saving
  const close = () => {
    if (saved === undefined && form.isFieldsTouched()) setDiscarding(true)
    else onClose()
  }
  return (
    <Drawer
      open
      title={t(record === undefined ? 'drawer.create' : 'drawer.edit')}
      size={isPhone ? '100%' : 560}
      onClose={close}
      footer={
        saved === undefined && (
          <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
            <Button onClick={close}>{t('drawer.cancel')}</Button>
            <Button type="primary" htmlType="submit" form={formId} loading={saving.isPending}>
              {t(record === undefined ? 'drawer.add' : 'drawer.save')}
            </Button>
          </div>
        )
      }
    >
      {saved === undefined ? (
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
      ) : (
        <SavedRecord
          record={saved}
          device={device}
          isNew={record === undefined}
          onCheck={() => props.onCheck(saved)}
          onAnother={props.onAnother}
          onDone={onClose}
        />
      )}
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
        onOk={onClose}
        onCancel={() => setDiscarding(false)}
        width={400}
      />
    </Drawer>
  )
}
