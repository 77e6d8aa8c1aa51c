import { LockOutlined } from '@ant-design/icons'
import { Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useParams } from 'react-router'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useProfile } from '../sign-in/api/profile.ts'
import { AnnouncementsPanel } from './components/AnnouncementsPanel.tsx'
import { InvitesPanel } from './components/InvitesPanel.tsx'

const tabs = ['invites', 'announcements'] as const

/** 运营: invitations and announcements. The server decides who may; the page only says so early. */
export function Component() {
  const { t } = useTranslation('staff')
  const navigate = useNavigate()
  const profile = useProfile()
  const { '*': path = '' } = useParams()
  const tab = tabs.find(known => known === path)

  if (profile?.is_staff !== true) {
    return (
      <EmptyState icon={<LockOutlined />} title={t('forbidden')} detail={t('forbiddenDetail')} />
    )
  }
  if (tab === undefined) return <Navigate to={paths.staffTab(tabs[0])} replace />
  return (
    <div className="page">
      <PageHeader title={t('title')} />
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={key => navigate(paths.staffTab(key), { replace: true })}
        items={[
          { key: 'invites', label: t('invites.title'), children: <InvitesPanel /> },
          {
            key: 'announcements',
            label: t('announcements.title'),
            children: <AnnouncementsPanel />,
          },
        ]}
      />
    </div>
  )
}
