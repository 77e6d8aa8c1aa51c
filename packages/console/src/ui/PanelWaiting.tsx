import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from './FailureNotice.tsx'

/** What a panel shows while its data is not there: that it is coming, or why it is not and a way to ask again. */
export function PanelWaiting(props: {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
  /** Title of the failure. */
  failed: string
  rows?: number
}) {
  const { t } = useTranslation()
  const { error, isFetching, refetch } = props.query
  if (error === null) {
    return (
      <div role="status" aria-busy="true" aria-label={t('loading')}>
        <Skeleton active title={false} paragraph={{ rows: props.rows ?? 2 }} />
      </div>
    )
  }
  return (
    <>
      <FailureNotice title={props.failed} error={error} />
      <Button loading={isFetching} onClick={() => refetch()}>
        {t('action.retry')}
      </Button>
    </>
  )
}
