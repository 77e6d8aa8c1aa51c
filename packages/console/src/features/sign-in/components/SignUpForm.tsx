import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { createAccount } from '../api/sign-up.ts'
import { hasAcceptedTerms, rememberAcceptedTerms } from '../terms.ts'
import { useEnter } from '../use-enter.ts'
import { FormFailure } from './FormFailure.tsx'
import { NewPasswordItems } from './NewPasswordItems.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { TermsItem } from './TermsItem.tsx'
import { UsernameItem } from './UsernameItem.tsx'
import { useSignInForm } from './use-sign-in-form.ts'

interface Values {
  username: string
  password: string
  confirmation: string
  invite?: string
  terms: boolean
}

/** Make an account. `invite` is the code of the link that led here; without one it is asked for where needed. */
export function SignUpForm(props: { invite: string; needsInvite: boolean }) {
  const { t } = useTranslation('sign-in')
  const [form] = Form.useForm<Values>()
  const { run, isBusy, message, requestId, secondsLeft } = useSignInForm(form, [
    'username',
    'password',
    'invite',
  ])
  const enter = useEnter()

  const submit = ({ username, password, invite = '' }: Values) =>
    run(async () => {
      const code = invite.trim()
      await createAccount({
        username,
        password,
        accepted_terms_of_service: true,
        ...(code === '' ? {} : { invite: code }),
      })
      rememberAcceptedTerms()
      await enter()
    })
  return (
    <Form
      form={form}
      layout="vertical"
      size="large"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      initialValues={{ terms: hasAcceptedTerms(), invite: props.invite }}
      onFinish={submit}
    >
      <FormFailure message={message} requestId={requestId} />
      {(props.needsInvite || props.invite !== '') && (
        <Form.Item
          name="invite"
          label={t('invite')}
          rules={props.needsInvite ? [{ required: true, message: t('needed') }] : []}
        >
          <Input autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={100} />
        </Form.Item>
      )}
      <UsernameItem />
      <NewPasswordItems />
      <TermsItem />
      <SubmitButton label={t('signUp')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </Form>
  )
}
