import { CheckCircleOutlined, DisconnectOutlined } from '@ant-design/icons'
import type { CallResult, getRouterInfo } from '@homeport/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../paths.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { StateCard } from '../../../ui/StateCard.tsx'
import { useSettings } from '../../site/api/settings.ts'
import { openAddress } from '../open-address.ts'

/** The reason in words with the next step; the owner is led to the device. */
export function NameReport(props: {
  info: CallResult<typeof getRouterInfo>
  isChecking: boolean
  onCheckAgain: () => void
}) {
  const { t } = useTranslation('errorport')
  const { domain, reason, device_name, owner, router } = props.info
  const pattern = useSettings()?.record_url_pattern
  const address = reason === 'ok' ? openAddress(domain, pattern) : undefined
  const isOwner = router !== null
  const facts = [
    device_name && t('device', { name: device_name }),
    owner && t('owner', { name: owner }),
  ].filter(Boolean)
  return (
    <StateCard
      role="alert"
      tone={reason === 'ok' ? 'plain' : 'danger'}
      icon={reason === 'ok' ? <CheckCircleOutlined /> : <DisconnectOutlined />}
      title={t(`reason.${reason}`)}
      detail={
        <>
          <strong>
            <bdi dir="ltr">{domain}</bdi>
          </strong>
          <br />
          {t(isOwner ? `ownNext.${reason}` : `next.${reason}`)}
        </>
      }
      actions={
        <>
          {address !== undefined && (
            <Button type="primary" href={address}>
              {t('open')}
            </Button>
          )}
          {isOwner && (
            <LinkButton
              to={paths.device(router, 'records')}
              type={address === undefined ? 'primary' : 'default'}
            >
              {t('toDevice')}
            </LinkButton>
          )}
          <Button loading={props.isChecking} onClick={props.onCheckAgain}>
            {t('again')}
          </Button>
          <LinkButton to={paths.devices} type="text">
            {t('toDevices')}
          </LinkButton>
        </>
      }
    >
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
    </StateCard>
  )
}
