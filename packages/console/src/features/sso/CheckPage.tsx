import { CheckCircleOutlined, LoginOutlined } from '@ant-design/icons'
import { CallError, type SsoFinished } from '@homeport/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Spin } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { paths, withQuery } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { StateCard } from '../../ui/StateCard.tsx'
import { acceptTerms } from '../sign-in/api/accept-terms.ts'
import { askLoginStatus } from '../sign-in/api/login-status.ts'
import { profileQuery } from '../sign-in/api/profile.ts'
import { SecondStepForm } from '../sign-in/components/SecondStepForm.tsx'
import { hasAcceptedTerms } from '../sign-in/terms.ts'
import { confirmSignOn, finishSignOn, type SsoReturn } from './api/check.ts'

/** /check: finishes a sign-on, shows its progress and its failure, asks for the second step, and leads on. */
export function Component() {
  const [query] = useSearchParams()
  const [code, state, iss] = ['code', 'state', 'iss'].map(name => query.get(name) ?? '')
  const error = query.get('error') ?? ''
  // WeChat brings the state alone back from whoever said no.
  if (error !== '' || (state && !code)) return <Cancelled error={error || 'access_denied'} />
  if (!code || !state) return <NothingToCheck />
  const answer = { code, state, ...(iss ? { iss } : {}) }
  // Another answer in the same tab begins anew.
  return <Checking key={`${state} ${code}`} answer={answer} />
}

function Checking({ answer }: { answer: SsoReturn }) {
  const { t } = useTranslation('sso')
  const goOn = useGoOn()
  const navigate = useNavigate()
  const { data, error } = useQuery({
    // Asked once, however often the page is drawn: the code counts once.
    queryKey: ['sso-check', answer.state, answer.code],
    queryFn: () => finishOrRecognise(answer),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnMount: false,
    // Whoever fetches a code from another app comes back to the form as they left it.
    refetchOnWindowFocus: false,
  })
  useEffect(() => {
    if (data !== undefined && !data.reauthenticated) void goOn(data)
  }, [data, goOn])

  if (error instanceof CallError && error.code === 'second_factor_required') {
    return (
      <LonePage title={t('check.secondStep')} detail={t('check.secondStepDetail')}>
        <SecondStepForm
          send={code => confirmSignOn(answer, code)}
          run={async call => goOn((await call()) as SsoFinished)}
          onBack={() => navigate(paths.login, { replace: true })}
        />
      </LonePage>
    )
  }
  if (error !== null) return <Failed error={error} />
  if (data?.reauthenticated) return <Reauthenticated />
  return (
    <LonePage>
      <StateCard icon={<Spin />} title={<span role="status">{t('check.checking')}</span>} />
    </LonePage>
  )
}

/**
 * Finishes the sign-on. One that is used up may be this browser's own, from a page that was loaded again or a tab that was
 * faster: whoever is signed in goes on.
 */
async function finishOrRecognise(answer: SsoReturn): Promise<SsoFinished> {
  try {
    return await finishSignOn(answer)
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'sso_flow_unknown')) throw error
    const { id } = await askLoginStatus().catch(() => ({ id: null }))
    if (id === null) throw error
    return { id, linked: null, url: null }
  }
}

/** Leads on as the guard of /login says (client.md section 2), or to the page where the identity was linked. */
function useGoOn(): (finished: SsoFinished) => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async ({ id, linked, url, n, invalid_domain: invalidDomain, ...led }) => {
    if (linked !== null) return navigate(paths.userInfo, { replace: true })
    // Where this is lost the account simply stays without the note until the next sign-in.
    if (hasAcceptedTerms()) await acceptTerms(id).catch(error => console.error('terms', error))
    await queryClient.resetQueries({ queryKey: profileQuery.queryKey })
    const { pairing, request, confirm_email } = led
    const onward = { url: url ?? undefined, n, invalidDomain, pairing, request, confirm_email }
    await navigate(withQuery(paths.login, onward), { replace: true })
  }
}

/** The owner proved anew who they are; what they were about to do has to be begun once more. */
function Reauthenticated() {
  const { t } = useTranslation('sso')
  return (
    <LonePage>
      <StateCard
        role="alert"
        tone="good"
        icon={<CheckCircleOutlined />}
        title={t('check.reauthenticatedTitle')}
        detail={t('check.reauthenticatedDetail')}
        actions={<Back to={paths.userInfo}>{t('check.toAccount')}</Back>}
      />
    </LonePage>
  )
}

function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation('sso')
  const navigate = useNavigate()
  const code = error instanceof CallError ? error.code : undefined
  const details = {
    signup_closed: t('check.closedDetail'),
    identity_taken: t('check.takenDetail'),
    recent_sign_in_required: t('check.notRecentDetail'),
  }
  const detail = Object.entries(details).find(([name]) => name === code)?.[1]
  const isOfAccount = code === 'identity_taken' || code === 'recent_sign_in_required'
  return (
    <LonePage>
      <ErrorState
        error={error}
        title={t('check.failedTitle')}
        {...(detail === undefined ? {} : { detail })}
        retryLabel={t(isOfAccount ? 'check.toAccount' : 'check.back')}
        onRetry={() => navigate(isOfAccount ? paths.userInfo : paths.login, { replace: true })}
      />
    </LonePage>
  )
}

/** The provider came back with an error of its own (RFC 6749 section 4.1.2.1); its words are never shown. */
function Cancelled({ error }: { error: string }) {
  const { t } = useTranslation('sso')
  const what = error === 'access_denied' ? 'cancelled' : 'refused'
  return (
    <LonePage>
      <StateCard
        icon={<LoginOutlined />}
        title={t(`check.${what}Title`)}
        detail={t(`check.${what}Detail`)}
        actions={<Back to={paths.login}>{t('check.back')}</Back>}
      />
    </LonePage>
  )
}

function NothingToCheck() {
  const { t } = useTranslation('sso')
  return (
    <LonePage>
      <StateCard
        icon={<LoginOutlined />}
        title={t('check.noneTitle')}
        detail={t('check.noneDetail')}
        actions={<Back to={paths.login}>{t('check.back')}</Back>}
      />
    </LonePage>
  )
}

const Back = (props: { to: string; children: ReactNode }) => (
  <LinkButton to={props.to} type="primary">
    {props.children}
  </LinkButton>
)
