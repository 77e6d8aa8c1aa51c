import { CheckCircleOutlined, DisconnectOutlined } from '@ant-design/icons'
import { CallError } from '@homeport/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { StateCard } from '../../ui/StateCard.tsx'
import { useAddressSecret } from '../../ui/use-address-secret.ts'
import { profileQuery } from '../sign-in/api/profile.ts'
import { linkQuery } from './api/recovery.ts'
import { NewPasswordForm } from './components/NewPasswordForm.tsx'
import type { RenewedState } from './renewed.ts'

/** Where the link of a letter leads: a new password for its account, whoever is signed in here. */
export function Component() {
  const token = useAddressSecret('token')
  // Another link opened in the same tab begins anew.
  return token === '' ? <InvalidLink /> : <OpenedLink key={token} token={token} />
}

function OpenedLink({ token }: { token: string }) {
  const { t } = useTranslation('recovery')
  const { data, error, refetch, isFetching } = useQuery(linkQuery(token))
  const [outcome, setOutcome] = useState<'done' | 'invalid'>()
  const queryClient = useQueryClient()

  const isInvalid = error instanceof CallError && error.code === 'reset_link_invalid'
  if (outcome === 'invalid' || isInvalid) return <InvalidLink />
  if (data === undefined) {
    return (
      <LonePage>
        {error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
        )}
      </LonePage>
    )
  }
  if (outcome === 'done') return <Done username={data.username} />
  return (
    <LonePage title={t('title')} detail={t('link.detail', { username: data.username })}>
      <NewPasswordForm
        token={token}
        username={data.username}
        onInvalidLink={() => setOutcome('invalid')}
        onDone={async () => {
          setOutcome('done')
          // The account may have been signed in here, too.
          await queryClient.resetQueries({ queryKey: profileQuery.queryKey })
        }}
      />
    </LonePage>
  )
}

function Done({ username }: { username: string }) {
  const { t } = useTranslation(['recovery', 'common'])
  const navigate = useNavigate()
  const state: RenewedState = { renewed: username }
  return (
    <LonePage>
      <StateCard
        tone="good"
        icon={<CheckCircleOutlined />}
        title={t('link.done')}
        detail={t('link.doneDetail')}
        actions={
          <Button type="primary" onClick={() => navigate(paths.login, { replace: true, state })}>
            {t('common:action.signIn')}
          </Button>
        }
      />
    </LonePage>
  )
}

function InvalidLink() {
  const { t } = useTranslation(['recovery', 'sign-in'])
  return (
    <LonePage>
      <StateCard
        role="alert"
        tone="danger"
        icon={<DisconnectOutlined />}
        title={t('link.invalid')}
        detail={t('link.invalidDetail')}
        actions={
          <LinkButton to={paths.login} type="primary">
            {t('sign-in:toSignInAgain')}
          </LinkButton>
        }
      />
    </LonePage>
  )
}
