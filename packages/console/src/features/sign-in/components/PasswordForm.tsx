import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { acceptTerms } from '../api/accept-terms.ts'
import { signIn } from '../api/login.ts'
import { hasAcceptedTerms, rememberAcceptedTerms } from '../terms.ts'
import { useEnter } from '../use-enter.ts'
import { FormFailure } from './FormFailure.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { TermsItem } from './TermsItem.tsx'
import { useSignInForm } from './use-sign-in-form.ts'

interface Values {
  account: string
  password: string
  terms: boolean
}

/** Sign in with user name or e-mail address and password. */
export function PasswordForm() {
  const { t } = useTranslation('sign-in')
  const [form] = Form.useForm<Values>()
  const { run, isBusy, message, requestId, secondsLeft } = useSignInForm(form, [
    'account',
    'password',
  ])
  const enter = useEnter()

  const submit = ({ account, password }: Values) =>
    run(async () => {
      const { id } = await signIn({ account, password })
      rememberAcceptedTerms()
      // Where this is lost the account simply stays without the note until the next sign-in.
      await acceptTerms(id).catch(error => console.error('terms', error))
      await enter()
    })

  const required = [{ required: true, message: t('needed') }]
  return (
    <Form
      form={form}
      layout="vertical"
      size="large"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      initialValues={{ terms: hasAcceptedTerms() }}
      onFinish={submit}
    >
      <FormFailure message={message} requestId={requestId} />
      <Form.Item name="account" label={t('account')} rules={required}>
        <Input
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
        />
      </Form.Item>
      <Form.Item name="password" label={t('password')} rules={required}>
        <Input.Password autoComplete="current-password" maxLength={256} />
      </Form.Item>
      <TermsItem />
      <SubmitButton label={t('signIn')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </Form>
  )
}
