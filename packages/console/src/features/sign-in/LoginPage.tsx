import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useLocation, useSearchParams } from 'react-router'
import { ownHostOf } from '../../app/enter.ts'
import type { GuardResult } from '../../app/guard-loader.ts'
import { loadTexts } from '../../i18n/i18n.ts'
import { LonePage } from '../../ui/LonePage.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Notice } from '../../ui/Notice.tsx'
import { OutboxLink } from '../outbox/components/OutboxLink.tsx'
import { readRenewed } from '../recovery/renewed.ts'
import { useSettings } from '../site/api/settings.ts'
import { LeavingNote } from './components/LeavingNote.tsx'
import { SignInWays } from './components/SignInWays.tsx'
import { useEnter } from './use-enter.ts'
import { useSignInElsewhere } from './use-sign-in-elsewhere.ts'

const SignUpForm = lazy(async () => ({
  default: (await import('./components/SignUpForm.tsx')).SignUpForm,
}))

const ForgottenPassword = lazyPart(async () => {
  const [part] = await Promise.all([
    import('../recovery/components/ForgottenPassword.tsx'),
    ...['recovery', 'phone', 'captcha'].map(loadTexts),
  ])
  return part.ForgottenPassword
})

type Shown = 'signIn' | 'signUp' | 'reset'

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
  const [shown, setShown] = useState<Shown>(invite !== '' && signup !== 'off' ? 'signUp' : 'signIn')
  /** Who has a new password now. */
  const [renewed, setRenewed] = useState(readRenewed(useLocation().state))
  useSignInElsewhere(useEnter())

  const host = ownHostOf(query.get('url') ?? '', settings?.tunnel_domain)
  const isSigningUp = shown === 'signUp'
  if (shown === 'reset') {
    return (
      <Suspense>
        <ForgottenPassword
          onDone={username => {
            setRenewed(username)
            setShown('signIn')
          }}
          onBack={() => setShown('signIn')}
        />
      </Suspense>
    )
  }
  return (
    <LonePage title={t(isSigningUp ? 'signUpTitle' : 'title')} detail={t('detail')}>
      {settings?.needs_setup && <Notice>{t('needsSetup')}</Notice>}
      {host !== undefined && <Notice>{t('onward', { host })}</Notice>}
      {renewed !== undefined && <Notice>{t('resetDone')}</Notice>}
      {isSigningUp ? (
        <Suspense>
          <SignUpForm invite={invite} needsInvite={signup === 'invite'} />
        </Suspense>
      ) : (
        <SignInWays account={renewed} onForgotten={() => setShown('reset')} />
      )}
      {signup !== 'off' && (
        <Button type="link" block onClick={() => setShown(isSigningUp ? 'signIn' : 'signUp')}>
          {t(isSigningUp ? 'toSignIn' : signup === 'invite' ? 'toSignUpInvited' : 'toSignUp')}
        </Button>
      )}
      <OutboxLink />
    </LonePage>
  )
}
