import { CheckOutlined, ExportOutlined, InfoOutlined } from '@ant-design/icons'
import type { RecordRow, RouterRow } from '@homeport/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { StateCard } from '../../../ui/StateCard.tsx'
import { isBrowserAddress } from '../record-url.ts'

/** After saving: the address, and whether it leads somewhere already. */
export function SavedRecord(props: {
  record: RecordRow
  device: RouterRow
  isNew: boolean
  onCheck: () => void
  onAnother: () => void
  onDone: () => void
}) {
  const { t } = useTranslation('records')
  const { record, device, isNew } = props
  const outcome = !record.enabled
    ? 'disabled'
    : device.paused
      ? 'paused'
      : device.status === 'offline'
        ? 'offline'
        : isNew
          ? 'created'
          : 'changed'
  const isLive = outcome === 'created' || outcome === 'changed'
  const canOpen = isLive && isBrowserAddress(record.url)
  return (
    <div role="status">
      <StateCard
        icon={isLive ? <CheckOutlined /> : <InfoOutlined />}
        tone={isLive ? 'good' : 'plain'}
        title={t(`saved.${outcome}`)}
        detail={<code>{record.url}</code>}
        actions={
          <>
            {canOpen && (
              <Button
                type="primary"
                block
                autoFocus
                icon={<ExportOutlined />}
                href={record.url}
                target="_blank"
                rel="noopener"
              >
                {t('open')}
              </Button>
            )}
            <CopyButton text={record.url} block />
            {isLive && (
              <Button block onClick={props.onCheck}>
                {t('check')}
              </Button>
            )}
            {isNew && (
              <Button block onClick={props.onAnother}>
                {t('saved.another')}
              </Button>
            )}
            <Button block type="text" autoFocus={!canOpen} onClick={props.onDone}>
              {t('saved.done')}
            </Button>
          </>
        }
      />
    </div>
  )
}
