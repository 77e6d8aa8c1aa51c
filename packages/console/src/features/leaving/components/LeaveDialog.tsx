import { CallError } from '@homeport/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths, withQuery } from '../../../paths.ts'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { useSecondFactor } from '../../second-factor/api/second-factor.ts'
import { profileQuery } from '../../sign-in/api/profile.ts'
import { useLeave } from '../api/leaving.ts'
import { useOwnAccount } from '../api/own-account.ts'

interface Values {
  username: string
  code?: string
}

/** Says what goes at once and what goes later, and has the user name typed before anything happens. */
export function LeaveDialog(props: { username: string; onClose: () => void }) {
  const { t } = useTranslation(['leaving', 'common'])
  const { username } = props
  const [form] = Form.useForm<Values>()
  const [isOpen, setOpen] = useState(true)
  const { mutate, isPending, error, reset } = useLeave()
  const needsCode = useSecondFactor().data?.enabled_at != null
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const placed = placeProblem(error)

  const submit = (values: Values) =>
    mutate(
      {
        username: values.username,
        ...(values.code === undefined ? {} : { second_factor: values.code.trim() }),
      },
      {
        onSuccess: async ({ deletes_at }) => {
          // First away from here: what is on this page belongs to nobody now.
          await navigate(withQuery(paths.restore, { gone: deletes_at }), { replace: true })
          queryClient.setQueryData(profileQuery.queryKey, null)
        },
        onError: failure => {
          const problem = placeProblem(failure)
          if (problem === undefined) return
          form.setFields([{ name: problem.field, errors: [t(problem.text)] }])
          form.focusField(problem.field)
        },
      },
    )
  return (
    <Modal
      open={isOpen}
      title={t('leave.dialogTitle')}
      okText={t('leave.submit')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={form.submit}
      onCancel={() => setOpen(false)}
      afterClose={props.onClose}
    >
      <Losses />
      <Form
        form={form}
        name="leave"
        layout="vertical"
        requiredMark={false}
        onValuesChange={reset}
        onFinish={submit}
      >
        <Form.Item
          name="username"
          label={t('leave.confirm', { username })}
          normalize={(text: string) => text.trim()}
          validateTrigger="onSubmit"
          rules={[
            {
              validator: async (_, text: string | undefined) => {
                if ((text ?? '').toLowerCase() !== username.toLowerCase()) {
                  throw new Error(t('leave.mismatch'))
                }
              },
            },
          ]}
        >
          <Input autoFocus autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
        {needsCode && (
          <Form.Item
            name="code"
            label={t('leave.code')}
            validateTrigger="onSubmit"
            rules={[{ required: true, min: 6, message: t('leave.codeNeeded') }]}
          >
            <Input autoComplete="one-time-code" spellCheck={false} maxLength={32} />
          </Form.Item>
        )}
      </Form>
      {placed === undefined && <FailureNotice title={t('leave.failed')} error={error} />}
    </Modal>
  )
}

function placeProblem(error: unknown) {
  if (!(error instanceof CallError)) return undefined
  if (error.code === 'second_factor_wrong') {
    return { field: 'code', text: 'leave.codeWrong' } as const
  }
  if (error.errors.some(({ path }) => path === 'username')) {
    return { field: 'username', text: 'leave.mismatch' } as const
  }
  return undefined
}

function Losses() {
  const { t } = useTranslation('leaving')
  const { data, error } = useOwnAccount()
  if (data === undefined && error === null) return <Skeleton active paragraph={{ rows: 4 }} />
  const { devices = 0, records = 0 } = data ?? {}
  return (
    <>
      <p>{t('leave.atOnce')}</p>
      <ul>
        <li>{t('leave.sessions')}</li>
        <li>{devices > 0 ? t('leave.devices', { count: devices }) : t('leave.devicesNone')}</li>
        {records > 0 && <li>{t('leave.records', { count: records })}</li>}
      </ul>
      <p>{t('leave.later')}</p>
      <ul>
        <li>{t('leave.lost')}</li>
        <li>{t('leave.plans')}</li>
        <li>{t('leave.names')}</li>
      </ul>
      <p>{t('leave.exportFirst')}</p>
    </>
  )
}
