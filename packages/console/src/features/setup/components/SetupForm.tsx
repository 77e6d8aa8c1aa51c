import { CallError } from '@homeport/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { profileQuery } from '../../sign-in/api/profile.ts'
import { NewAccountFields } from '../../sign-in/components/NewAccountFields.tsx'
import { SubmitButton } from '../../sign-in/components/SubmitButton.tsx'
import { useChecks } from '../../sign-in/components/use-checks.ts'
import { useSubmission } from '../../sign-in/components/use-submission.ts'
import { settingsQuery } from '../../site/api/settings.ts'
import { makeAdministrator } from '../api/set-up.ts'

/** Name and password of the administrator; afterwards they are signed in and at home. */
export function SetupForm(props: { code: string; onInvalidCode: () => void }) {
  const { t } = useTranslation('setup')
  const checks = useChecks()
  const fields = useFields(
    { username: 'admin', password: '', confirmation: '' },
    {
      username: checks.username,
      password: checks.newPassword,
      confirmation: checks.confirmation,
    },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  const submit = ({ username, password }: typeof fields.values) =>
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
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      <NewAccountFields bind={fields.bind} />
      <SubmitButton label={t('submit')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
