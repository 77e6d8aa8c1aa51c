import { NotificationOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Card } from 'antd'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { toRows } from './announcements.ts'
import { announcementsQuery } from './api/announcements.ts'
import { AnnouncementList } from './components/AnnouncementList.tsx'

/** Every announcement that is displayed. */
export function Component() {
  const { t } = useTranslation('announcements')
  return (
    <div className="page">
      <PageHeader title={t('dialogTitle')} detail={t('pageDetail')} />
      <Announcements />
    </div>
  )
}

function Announcements() {
  const { t } = useTranslation('announcements')
  const { data, error, refetch, isFetching } = useQuery(announcementsQuery)
  if (data === undefined) {
    if (error === null) return <PageSkeleton />
    return <ErrorState error={error} onRetry={refetch} isRetrying={isFetching} />
  }
  const rows = toRows(data)
  if (rows.length === 0) {
    return (
      <EmptyState icon={<NotificationOutlined />} title={t('empty')} detail={t('emptyDetail')} />
    )
  }
  return (
    <Card>
      <AnnouncementList rows={rows} />
    </Card>
  )
}
