import type { Profile } from '@homeport/contract'
import { Button, Form, Input } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { PanelWaiting } from '../../../ui/PanelWaiting.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import styles from '../../account/components/Account.module.css'
import { useOwnAccount } from '../../leaving/api/own-account.ts'
import { useChangeEmail } from '../api/email.ts'
import { ConfirmationNotice } from './ConfirmationNotice.tsx'
import { PendingEmail } from './PendingEmail.tsx'

const RemoveEmailDialog = lazyPart(
  async () => (await import('./RemoveEmailDialog.tsx')).RemoveEmailDialog,
)

/** The own e-mail address: the one that counts, the one that waits for its link, and the way to another. */
export function EmailPanel(props: { profile: Profile }) {
  const { t } = useTranslation('email')
  const { email } = props.profile
  const query = useOwnAccount()
  const { data } = query
  const removing = useDialog<string>()
  if (data === undefined) return <PanelWaiting query={query} failed={t('loadFailed')} />
  return (
    <>
      <ConfirmationNotice />
      {email === '' ? (
        <p className={styles.soft}>{t('none')}</p>
      ) : (
        <div className={styles.row}>
          <div className={styles.rowTitle}>{email}</div>
          <Button size="small" danger onClick={() => removing.show(email)}>
            {t('remove')}
          </Button>
        </div>
      )}
      {data.email_pending !== null && <PendingEmail pending={data.email_pending} />}
      {data.can_mail ? <EmailForm current={email} /> : <p className={styles.soft}>{t('off')}</p>}
      <Suspense>
        {removing.subject !== undefined && (
          <RemoveEmailDialog email={removing.subject} frame={removing.frame} />
        )}
      </Suspense>
    </>
  )
}

function EmailForm(props: { current: string }) {
  const { t } = useTranslation('email')
  const [form] = Form.useForm<{ email: string }>()
  const { mutate, isPending, error, reset } = useChangeEmail()
  return (
    <Form
      form={form}
      name="email"
      layout="vertical"
      requiredMark={false}
      onValuesChange={reset}
      onFinish={({ email }) => mutate(email, { onSuccess: () => form.resetFields() })}
      className={styles.form ?? ''}
    >
      <Form.Item
        name="email"
        label={t('label')}
        normalize={(text: string) => text.trim()}
        validateTrigger="onSubmit"
        rules={[
          { required: true, message: t('required') },
          { type: 'email', message: t('invalid') },
          {
            validator: async (_, text: string) => {
              if (text && text.toLowerCase() === props.current.toLowerCase()) {
                throw new Error(t('same'))
              }
            },
          },
        ]}
      >
        <Input
          // Not of type email: the browser's own complaint would stand in the way of ours.
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          autoComplete="email"
          placeholder={t('placeholder')}
        />
      </Form.Item>
      <FailureNotice title={t('failed')} error={error} />
      <Button htmlType="submit" loading={isPending}>
        {t('submit')}
      </Button>
    </Form>
  )
}
