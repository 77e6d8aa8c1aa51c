import { CheckOutlined, LoadingOutlined } from '@ant-design/icons'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StateCard } from '../../../ui/StateCard.tsx'
import type { AgentPlatform } from '../wizard-commands.ts'
import styles from './AddDeviceWizard.module.css'
import { AgentCommandPanel, firstChoices } from './AgentCommandPanel.tsx'
import { ChoiceCards } from './ChoiceCards.tsx'
import { useNewDevice } from './use-new-device.ts'

const platforms = ['posix', 'windows', 'docker', 'router'] as const
type Platform = (typeof platforms)[number]

const hasCommand = (platform: Platform): platform is AgentPlatform =>
  platform === 'posix' || platform === 'windows'

/** Shows how to run the agent, waits for the device to appear and says what comes next. */
export function AddDeviceWizard(props: {
  onAgain: () => void
  onDone: () => void
  onAddRecord: (deviceId: number) => void
}) {
  const { t } = useTranslation('devices')
  const [platform, setPlatform] = useState<Platform>('posix')
  const [choices, setChoices] = useState(firstChoices)
  const device = useNewDevice()

  if (device !== undefined) {
    const isOnline = device.status === 'online'
    return (
      <div className={styles.scroll} role="status">
        <StateCard
          icon={isOnline ? <CheckOutlined /> : <LoadingOutlined />}
          tone={isOnline ? 'good' : 'plain'}
          title={t(isOnline ? 'wizard.joined' : 'wizard.joinedOffline', { name: device.name })}
          detail={t('wizard.joinedDetail')}
          actions={
            <>
              <Button type="primary" block autoFocus onClick={() => props.onAddRecord(device.id)}>
                {t('wizard.addRecord')}
              </Button>
              <Button block onClick={props.onAgain}>
                {t('wizard.another')}
              </Button>
              <Button block type="text" onClick={props.onDone}>
                {t('wizard.done')}
              </Button>
            </>
          }
        />
      </div>
    )
  }
  return (
    <>
      <div className={styles.scroll}>
        <ChoiceCards
          label={t('wizard.platform')}
          value={platform}
          onChange={setPlatform}
          choices={platforms.map(value => ({
            value,
            label: t(`wizard.platforms.${value}`),
            ...(hasCommand(value) ? {} : { badge: <Tag>{t('wizard.soon')}</Tag> }),
          }))}
        />
        {hasCommand(platform) ? (
          <AgentCommandPanel platform={platform} choices={choices} onChange={setChoices} />
        ) : (
          <div className={styles.later}>
            <p>{t(`wizard.${platform}`)}</p>
            <Button onClick={() => setPlatform('posix')}>{t('wizard.useCommand')}</Button>
          </div>
        )}
      </div>
      {hasCommand(platform) && (
        <div className={styles.waiting} role="status">
          <LoadingOutlined aria-hidden className={styles.waitingIcon ?? ''} />
          <div>
            <strong>{t('wizard.waiting')}</strong>
            <p>{t('wizard.waitingDetail')}</p>
          </div>
        </div>
      )}
    </>
  )
}
