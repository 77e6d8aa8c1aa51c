import { CallError, describeBrowser, type SsoRequest } from '@homeport/contract'
import { Alert, Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FactList } from '../../../ui/FactList.tsx'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { formatCountdown, formatInstant } from '../../../ui/instants.ts'
import { LonePage } from '../../../ui/LonePage.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { useProfile } from '../../sign-in/api/profile.ts'
import { useSsoAnswer } from '../api/sso-request.ts'
import styles from './RequestCard.module.css'

/** What asks and from where, the number to compare, and the two answers. */
export function RequestCard(props: {
  request: string
  info: SsoRequest
  onEnd: (end: 'confirmed' | 'refused' | 'gone') => void
}) {
  const { t } = useTranslation('sso-confirm')
  const { info, onEnd } = props
  const profile = useProfile()
  const { mutate, isPending, variables, error } = useSsoAnswer(props.request)
  const nowMs = useNow(1000)
  const expiresMs = Date.parse(info.expires_at)
  // A phone whose clock is wrong by minutes must still confirm: the server has the last word, and counting down would mislead.
  const [isClockRight] = useState(() => {
    const leftMs = expiresMs - nowMs
    return leftMs > 0 && leftMs <= expiresMs - Date.parse(info.created_at)
  })
  const isExpired = isClockRight && expiresMs <= nowMs
  // A double click is faster than the button is disabled, and the second answer would be told that it came too late.
  const isAnswering = useRef(false)
  const answer = (kind: 'confirmed' | 'refused') => {
    if (isAnswering.current) return
    isAnswering.current = true
    mutate(kind, {
      onSuccess: onEnd,
      onError: failure => {
        isAnswering.current = false
        if (failure instanceof CallError && failure.code === 'sso_request_gone') onEnd('gone')
      },
    })
  }
  const place = t(info.is_same_network ? 'sameNetwork' : 'otherNetwork')
  const address = (
    <>
      {info.address}
      <span className={styles.place}>{place}</span>
    </>
  )
  return (
    <LonePage title={t('title')} detail={t('detail', { name: profile?.username ?? '' })}>
      <p className={styles.label}>{t('number')}</p>
      <p className={styles.number}>{info.number}</p>
      <p className={styles.compare}>{t('compare')}</p>
      <FactList
        facts={[
          [t('browser'), describeBrowser(info.user_agent) || info.user_agent || t('unknown')],
          [t('address'), address],
          [t('time'), formatInstant(info.created_at)],
        ]}
      />
      <Alert type="warning" showIcon title={t('warningTitle')} description={t('warning')} />
      <FailureNotice
        title={t(variables === 'refused' ? 'refuseFailed' : 'confirmFailed')}
        error={error}
      />
      <div className={styles.actions}>
        <Button
          size="large"
          loading={isPending && variables === 'refused'}
          disabled={isPending}
          onClick={() => answer('refused')}
        >
          {t('refuse')}
        </Button>
        <Button
          type="primary"
          size="large"
          loading={isPending && variables === 'confirmed'}
          disabled={isPending || isExpired}
          onClick={() => answer('confirmed')}
        >
          {t('confirm')}
        </Button>
      </div>
      {isClockRight && (
        <p className={styles.left}>
          {isExpired ? t('gone.title') : t('left', { left: formatCountdown(expiresMs, nowMs) })}
        </p>
      )}
    </LonePage>
  )
}
