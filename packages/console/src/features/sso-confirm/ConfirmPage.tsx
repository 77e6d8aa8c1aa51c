import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  LinkOutlined,
  StopOutlined,
} from '@ant-design/icons'
import { CallError } from '@homeport/contract'
import { Spin } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { StateCard } from '../../ui/StateCard.tsx'
import { isSsoRequest, useSsoRequest } from './api/sso-request.ts'
import { RequestCard } from './components/RequestCard.tsx'

/** 确认登录: a phone that is signed in was led here by the QR code of a browser that is not; `?request=` names it. */
export function Component() {
  const [query] = useSearchParams()
  const request = query.get('request') ?? ''
  return isSsoRequest(request) ? (
    <Request key={request} request={request} />
  ) : (
    <Ended how="missing" />
  )
}

type End = 'confirmed' | 'refused' | 'gone' | 'missing'

function Request(props: { request: string }) {
  const { t } = useTranslation('sso-confirm')
  const { t: common } = useTranslation()
  const { data, error, refetch, isFetching } = useSsoRequest(props.request)
  const [end, setEnd] = useState<End>()
  if (end !== undefined) return <Ended how={end} />
  if (error instanceof CallError && error.code === 'sso_request_gone') return <Ended how="gone" />
  if (data !== undefined) return <RequestCard {...props} info={data} onEnd={setEnd} />
  return (
    <LonePage>
      {error === null ? (
        <StateCard icon={<Spin />} title={common('loading')} />
      ) : (
        <ErrorState
          title={t('failed')}
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
    </LonePage>
  )
}

const icons: Record<End, ReactNode> = {
  confirmed: <CheckCircleOutlined />,
  refused: <StopOutlined />,
  gone: <ClockCircleOutlined />,
  missing: <LinkOutlined />,
}

function Ended({ how }: { how: End }) {
  const { t } = useTranslation('sso-confirm')
  return (
    <LonePage>
      <StateCard
        role="alert"
        icon={icons[how]}
        tone={how === 'confirmed' ? 'good' : 'plain'}
        title={t(`${how}.title`)}
        detail={t(`${how}.detail`)}
        actions={
          <>
            {(how === 'confirmed' || how === 'refused') && (
              <LinkButton to={paths.userInfo}>{t('sessions')}</LinkButton>
            )}
            <LinkButton to={paths.home}>{t('home')}</LinkButton>
          </>
        }
      />
    </LonePage>
  )
}
