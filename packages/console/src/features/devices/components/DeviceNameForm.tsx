import type { RouterRow } from '@homeport/contract'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changedFields } from '../../../ui/changed-fields.ts'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { useFieldErrors } from '../../../ui/field-errors.ts'
import { usePatchRouter } from '../api/patch-router.ts'
import styles from './DevicePage.module.css'

interface Values {
  name: string
  remark: string
}

/** Name and remark of a device. What was typed stays after a refusal and after news from elsewhere. */
export function DeviceNameForm(props: { device: RouterRow }) {
  const { t } = useTranslation(['devices', 'common'])
  const { device } = props
  const [form] = Form.useForm<Values>()
  const readErrors = useFieldErrors()
  const { mutate, isPending, isSuccess, error, reset } = usePatchRouter(device.id)
  // What the fields held last: only what was changed here is sent, so that news from elsewhere is not undone.
  const [opened, setOpened] = useState<Values>({ name: device.name, remark: device.remark })
  const fieldErrors = readErrors(error, ['name', 'remark'])
  return (
    <Form
      form={form}
      name="device"
      layout="vertical"
      requiredMark={false}
      initialValues={opened}
      onValuesChange={() => reset()}
      onFinish={values =>
        mutate(changedFields(values, opened), {
          onSuccess: ({ name, remark }) => {
            form.setFieldsValue({ name, remark })
            setOpened({ name, remark })
          },
          onError: refused => form.setFields(readErrors(refused, ['name', 'remark'])),
        })
      }
      style={{ maxWidth: 480 }}
    >
      <Form.Item
        name="name"
        label={t('facts.name')}
        rules={[
          { required: true, whitespace: true, message: t('facts.nameRequired') },
          { max: 64, message: t('facts.nameTooLong') },
        ]}
      >
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="remark"
        label={t('facts.remark')}
        rules={[{ max: 200, message: t('facts.remarkTooLong') }]}
      >
        <Input placeholder={t('facts.remarkPlaceholder')} autoComplete="off" />
      </Form.Item>
      {fieldErrors.length === 0 && <FailureNotice title={t('facts.failed')} error={error} />}
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t('common:action.save')}
      </Button>{' '}
      <span role="status" className={styles.saved}>
        {isSuccess && t('facts.saved')}
      </span>
    </Form>
  )
}
