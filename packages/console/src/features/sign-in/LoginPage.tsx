import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useSearchParams } from 'react-router'
import { hostOf } from '../../app/enter.ts'
import type { GuardResult } from '../../app/guard-loader.ts'
import { LonePage } from '../../ui/LonePage.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useSettings } from '../site/api/settings.ts'
import { LeavingNote } from './components/LeavingNote.tsx'
import { PasskeyButton } from './components/PasskeyButton.tsx'
import { PasswordForm } from './components/PasswordForm.tsx'
import { useEnter } from './use-enter.ts'
import { useSignInElsewhere } from './use-sign-in-elsewhere.ts'

const SignUpForm = lazy(async () => ({
  default: (await import('./components/SignUpForm.tsx')).SignUpForm,
}))

/** Sign in, sign up where it is open, or the note that the browser is on its way. */
export function Component() {
  const { leavingTo } = useLoaderData<GuardResult>()
  const [query] = useSearchParams()
  // Another invitation opened in the same tab begins anew with its form.
  return leavingTo === null ? (
    <SignInCard key={query.get('invite')} />
  ) : (
    <LeavingNote location={leavingTo} />
  )
}

function SignInCard() {
  const { t } = useTranslation('sign-in')
  const [query] = useSearchParams()
  const settings = useSettings()
  const invite = query.get('invite') ?? ''
  const signup = settings?.signup ?? 'off'
  const [isSigningUp, setSigningUp] = useState(invite !== '' && signup !== 'off')
  useSignInElsewhere(useEnter())

  const host = hostOf(query.get('url') ?? '')
  return (
    <LonePage title={t(isSigningUp ? 'signUpTitle' : 'title')} detail={t('detail')}>
      {settings?.needs_setup && <Notice>{t('needsSetup')}</Notice>}
      {host !== undefined && <Notice>{t('onward', { host })}</Notice>}
      {isSigningUp ? (
        <Suspense>
          <SignUpForm invite={invite} needsInvite={signup === 'invite'} />
        </Suspense>
      ) : (
        <>
          <PasswordForm />
          <PasskeyButton />
        </>
      )}
      {signup !== 'off' && (
        <Button type="link" block onClick={() => setSigningUp(!isSigningUp)}>
          {t(isSigningUp ? 'toSignIn' : signup === 'invite' ? 'toSignUpInvited' : 'toSignUp')}
        </Button>
      )}
    </LonePage>
  )
}
