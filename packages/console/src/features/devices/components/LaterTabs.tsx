import { CrownOutlined, DesktopOutlined, FolderOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useSettings } from '../../site/api/settings.ts'

/** 远程应用: not there yet, and what to do meanwhile. */
export function AppsTab() {
  const { t } = useTranslation('devices')
  return (
    <EmptyState
      icon={<DesktopOutlined />}
      title={t('later.apps.title')}
      detail={t('later.apps.detail')}
    />
  )
}

/** 文件管理: not there yet, and what to do meanwhile. */
export function FilesTab() {
  const { t } = useTranslation('devices')
  return (
    <EmptyState
      icon={<FolderOutlined />}
      title={t('later.files.title')}
      detail={t('later.files.detail')}
    />
  )
}

/** 套餐: nothing is sold yet, or this deployment sells nothing at all. */
export function PlanTab() {
  const { t } = useTranslation('devices')
  const isSelling = useSettings()?.billing ?? true
  return (
    <EmptyState
      icon={<CrownOutlined />}
      title={t(isSelling ? 'later.plan.title' : 'later.plan.offTitle')}
      detail={t(isSelling ? 'later.plan.detail' : 'later.plan.off')}
    />
  )
}
