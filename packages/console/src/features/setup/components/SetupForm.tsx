import { CallError } from '@homeport/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { profileQuery } from '../../sign-in/api/profile.ts'
import { FormFailure } from '../../sign-in/components/FormFailure.tsx'
import { NewPasswordItems } from '../../sign-in/components/NewPasswordItems.tsx'
import { SubmitButton } from '../../sign-in/components/SubmitButton.tsx'
import { UsernameItem } from '../../sign-in/components/UsernameItem.tsx'
import { useSignInForm } from '../../sign-in/components/use-sign-in-form.ts'
import { settingsQuery } from '../../site/api/settings.ts'
import { makeAdministrator } from '../api/set-up.ts'

interface Values {
  username: string
  password: string
  confirmation: string
}

/** Name and password of the administrator; afterwards they are signed in and at home. */
export function SetupForm(props: { code: string; onInvalidCode: () => void }) {
  const { t } = useTranslation('setup')
  const [form] = Form.useForm<Values>()
  const { run, isBusy, message, requestId, secondsLeft } = useSignInForm(form, [
    'username',
    'password',
  ])
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  const submit = ({ username, password }: Values) =>
    run(async () => {
      try {
        await makeAdministrator({ code: props.code, username, password })
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'setup_code_invalid') throw error
        return props.onInvalidCode()
      }
      void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey })
      await queryClient.resetQueries({ queryKey: profileQuery.queryKey })
      await navigate(paths.home, { replace: true })
    })
  return (
    <Form
      form={form}
      layout="vertical"
      size="large"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      initialValues={{ username: 'admin' }}
      onFinish={submit}
    >
      <FormFailure message={message} requestId={requestId} />
      <UsernameItem />
      <NewPasswordItems />
      <SubmitButton label={t('submit')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </Form>
  )
}
