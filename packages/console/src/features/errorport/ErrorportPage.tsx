import { CompassOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Spin } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { StateCard } from '../../ui/StateCard.tsx'
import { routerInfoQuery } from './api/router-info.ts'
import { NameReport } from './components/NameReport.tsx'

const longestDomain = 253

/** 访问错误: which name was asked for, why it leads nowhere, what to do. */
export function Component() {
  const { t } = useTranslation('errorport')
  const [query] = useSearchParams()
  const domain = readDomain(query.get('invalidDomain') ?? '')
  return (
    <LonePage>
      {domain === '' ? (
        <StateCard
          icon={<CompassOutlined />}
          title={t('noName')}
          detail={t('noNameDetail')}
          actions={
            <LinkButton to={paths.devices} type="primary">
              {t('toDevices')}
            </LinkButton>
          }
        />
      ) : (
        <Report domain={domain} />
      )}
    </LonePage>
  )
}

/** The name in an address anybody may have written; empty for what is longer than any name (RFC 1035, section 3.1). */
function readDomain(text: string): string {
  // Marks that turn the direction of reading, and other unseen ones, would show another name than the one that is meant.
  const domain = text.replace(/\p{C}/gu, '').trim().toLowerCase()
  return domain.length > longestDomain ? '' : domain
}

function Report({ domain }: { domain: string }) {
  const { t } = useTranslation('errorport')
  const { data, error, refetch, isFetching } = useQuery(routerInfoQuery(domain))
  if (data !== undefined) {
    return <NameReport info={data} isChecking={isFetching} onCheckAgain={() => void refetch()} />
  }
  if (error !== null) {
    return <ErrorState error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
  }
  return <StateCard icon={<Spin />} title={t('looking')} detail={<bdi dir="ltr">{domain}</bdi>} />
}
