import { NotificationOutlined, PlusOutlined } from '@ant-design/icons'
import type { Announcement } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx'
import { announcementsQuery } from '../../announcements/api/announcements.ts'
import { useDeleteAnnouncement } from '../api/delete-announcement.ts'
import { DeleteButton } from './DeleteButton.tsx'
import { StaffList, type StaffRow } from './StaffList.tsx'

const NewAnnouncementDialog = lazy(async () => ({
  default: (await import('./NewAnnouncementDialog.tsx')).NewAnnouncementDialog,
}))

/** Announcements: publish and take back, newest first. */
export function AnnouncementsPanel() {
  const { t } = useTranslation('staff')
  const { data, error, refetch, isFetching } = useQuery(announcementsQuery)
  const [isWriting, setWriting] = useState(false)
  const toRow = useAnnouncementRow()

  if (data === undefined) {
    if (error === null) return <PageSkeleton />
    return <ErrorState error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
  }
  const write = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setWriting(true)}>
      {t('announcements.publish')}
    </Button>
  )
  return (
    <>
      {data.length === 0 ? (
        <EmptyState
          icon={<NotificationOutlined />}
          title={t('announcements.empty')}
          detail={t('announcements.emptyDetail')}
          action={write}
        />
      ) : (
        <>
          {write}
          <StaffList rows={data.toReversed().map(toRow)} />
        </>
      )}
      {isWriting && (
        <Suspense>
          <NewAnnouncementDialog onClose={() => setWriting(false)} />
        </Suspense>
      )}
    </>
  )
}

function useAnnouncementRow(): (announcement: Announcement) => StaffRow {
  const { t } = useTranslation('staff')
  const deletion = useDeleteAnnouncement()
  return ({ id, title, detail, url, display }) => ({
    id,
    name: (
      <>
        {title} {!display && <Tag>{t('announcements.hidden')}</Tag>}
      </>
    ),
    facts: url === '' ? detail : `${detail}\n${url}`,
    action: (
      <DeleteButton
        label={t('announcements.delete', { title })}
        question={t('announcements.deleteQuestion')}
        onDelete={() => deletion.mutateAsync(id)}
      />
    ),
  })
}
