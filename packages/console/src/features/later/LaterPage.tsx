import { ClockCircleOutlined, StopOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { TitleKey } from '../../app/titles.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useSettings } from '../site/api/settings.ts'

/** A page of later work. */
export type LaterKey = Extract<
  TitleKey,
  'statistics' | 'playersare' | 'productos' | 'record' | 'invite' | 'buy' | 'tutorial'
>

/** Says what will be here and that it is not open yet, or that buying is switched off. */
export function LaterPage(props: { page: LaterKey; needsBilling?: boolean }) {
  const { t } = useTranslation('later')
  const common = useTranslation('common').t
  const settings = useSettings()
  const isOff = props.needsBilling === true && settings?.billing === false
  return (
    <div className="page">
      <PageHeader title={common(`titles.${props.page}`)} />
      <EmptyState
        icon={isOff ? <StopOutlined /> : <ClockCircleOutlined />}
        title={t(isOff ? 'billingOff' : 'notOpen')}
        detail={isOff ? t('billingOffDetail') : t(`detail.${props.page}`)}
        action={<LinkButton to={paths.devices}>{common('action.backHome')}</LinkButton>}
      />
    </div>
  )
}
