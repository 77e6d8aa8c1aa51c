import { ClockCircleOutlined } from '@ant-design/icons'
import { CallError } from '@homeport/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { formatInstant } from '../../ui/instants.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { StateCard } from '../../ui/StateCard.tsx'
import { profileQuery } from '../sign-in/api/profile.ts'
import { restorationQuery, useRestore } from './api/leaving.ts'

/** Where every way in leads whose account is leaving; and, right after leaving, what happens now. */
export function Component() {
  const [query] = useSearchParams()
  const gone = query.get('gone') ?? ''
  return (
    <LonePage>{Number.isNaN(Date.parse(gone)) ? <Restoration /> : <Gone at={gone} />}</LonePage>
  )
}

function Gone(props: { at: string }) {
  const { t } = useTranslation('leaving')
  return (
    <StateCard
      icon={<ClockCircleOutlined />}
      title={t('gone.title')}
      detail={t('gone.detail', { instant: formatInstant(props.at) })}
      actions={<ToSignIn />}
    />
  )
}

function Restoration() {
  const { t } = useTranslation('leaving')
  const { data, error } = useQuery(restorationQuery)
  const { mutate, isPending, error: failure } = useRestore()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const login = `${paths.login}${query.size === 0 ? '' : `?${query}`}`

  // The guard of the sign-in page leads on, to where the browser was going.
  const enter = async () => {
    await queryClient.resetQueries({ queryKey: profileQuery.queryKey })
    await navigate(login, { replace: true })
  }
  if (data === undefined) {
    if (error === null) return <PageSkeleton />
    const isOver = error instanceof CallError && error.code === 'sign_in_expired'
    return (
      <StateCard
        role="alert"
        icon={<ClockCircleOutlined />}
        title={t(isOver ? 'restore.expired' : 'restore.loadFailed')}
        actions={<ToSignIn />}
      >
        {!isOver && <FailureNotice title={t('restore.loadFailed')} error={error} />}
      </StateCard>
    )
  }
  return (
    <StateCard
      icon={<ClockCircleOutlined />}
      title={t('restore.title')}
      detail={t('restore.detail', {
        username: data.username,
        instant: formatInstant(data.deletes_at),
      })}
      actions={
        <>
          <Button
            type="primary"
            loading={isPending}
            onClick={() => mutate(undefined, { onSuccess: enter })}
          >
            {t('restore.submit')}
          </Button>
          <LinkButton to={login}>{t('restore.stay')}</LinkButton>
        </>
      }
    >
      <FailureNotice title={t('restore.failed')} error={failure} />
    </StateCard>
  )
}

function ToSignIn() {
  const { t } = useTranslation()
  return (
    <LinkButton to={paths.login} type="primary">
      {t('action.signIn')}
    </LinkButton>
  )
}
