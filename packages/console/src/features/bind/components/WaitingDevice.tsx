import { CallError, type CallResult, type getPairingInfo, type RouterRow } from '@homeport/contract'
import { Button, Card } from 'antd'
import { useTranslation } from 'react-i18next'
import { FactList } from '../../../ui/FactList.tsx'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { formatCountdown } from '../../../ui/instants.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useBindPairing } from '../api/bind-pairing.ts'
import styles from './WaitingDevice.module.css'

/** What the waiting device says of itself, to compare and to decide on. */
export function WaitingDevice(props: {
  pairing: string
  info: CallResult<typeof getPairingInfo>
  onBound: (device: RouterRow) => void
  onRefuse: () => void
  onGone: () => void
}) {
  const { t } = useTranslation('bind')
  const { info } = props
  const { mutate, isPending, error } = useBindPairing(props.pairing)
  const nowMs = useNow(1000)
  const expiresMs = Date.parse(info.expires_at)
  const isExpired = expiresMs <= nowMs
  const facts = [
    ['name', info.name],
    ['model', info.model],
    ['agent', [info.agent, info.agent_version].filter(Boolean).join(' ')],
    ['address', info.address],
  ] as const
  const bind = () =>
    mutate(undefined, {
      onSuccess: props.onBound,
      onError: failure => {
        if (failure instanceof CallError && failure.code === 'pairing_not_found') props.onGone()
      },
    })
  return (
    <Card className={styles.card ?? ''}>
      <h2 className={styles.question}>{t('question')}</h2>
      <p className={styles.detail}>{t('detail')}</p>
      <FactList
        facts={facts.map(([key, value]) => [t(key), value === '' ? t('unknown') : value])}
      />
      <FailureNotice title={t('bindFailed')} error={error} />
      <div className={styles.actions}>
        <Button type="primary" size="large" loading={isPending} disabled={isExpired} onClick={bind}>
          {t('bind')}
        </Button>
        <Button size="large" disabled={isPending} onClick={props.onRefuse}>
          {t('notMine')}
        </Button>
      </div>
      <p className={styles.left}>
        {isExpired ? t('gone.title') : t('left', { left: formatCountdown(expiresMs, nowMs) })}
      </p>
    </Card>
  )
}
