import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { paths, withQuery } from '../../../paths.ts'
import { useErrorText } from '../../../ui/describe-error.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { useEnter } from '../../sign-in/use-enter.ts'
import { readOnward } from '../api/start.ts'
import { type ScanState, useScan } from '../use-scan.ts'
import styles from './Sso.module.css'

/** Edge of the QR code in CSS pixels (client.md section 9). */
const qrWidth = 200

/** A QR code for a phone that is signed in; goes on to /check once somebody confirmed there. */
export function ScanPanel(props: { provider: string }) {
  const { t } = useTranslation('sso')
  const errorText = useErrorText()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const enter = useEnter()
  const { state, restart } = useScan({ provider: props.provider, ...readOnward(query) }, enter)

  useEffect(() => {
    if (state.step !== 'confirmed') return
    const answer = { code: state.code, state: state.begun.state }
    void navigate(withQuery(paths.check, answer), { replace: true })
  }, [state, navigate])

  if (state.step === 'failed') {
    return (
      <div className={styles.scan}>
        <Notice tone="error">{errorText(state.error)}</Notice>
        <Button onClick={restart}>{t('scan.again')}</Button>
      </div>
    )
  }
  const isOver = state.step === 'expired' || state.step === 'denied'
  return (
    <div className={styles.scan}>
      <div className={styles.frame} data-step={state.step}>
        {state.step === 'starting' ? (
          <div className={styles.placeholder} aria-hidden />
        ) : (
          <div className={styles.code} aria-hidden={isOver || undefined}>
            <QrCode data={state.begun.login_url} label={t('scan.code')} width={qrWidth} />
          </div>
        )}
        {state.step === 'scanned' && <strong className={styles.number}>{state.number}</strong>}
        {isOver && (
          <div className={styles.over}>
            <Button type="primary" onClick={restart}>
              {t('scan.refresh')}
            </Button>
          </div>
        )}
      </div>
      <div role="status" className={styles.words}>
        <ScanWords state={state} />
      </div>
    </div>
  )
}

function ScanWords({ state }: { state: ScanState }) {
  const { t } = useTranslation('sso')
  switch (state.step) {
    case 'waiting':
      return (
        <>
          <p className={styles.lead}>{t('scan.waiting')}</p>
          <p className={styles.soft}>{t('scan.how')}</p>
        </>
      )
    case 'scanned':
      return (
        <>
          <p className={styles.lead}>{t('scan.scanned')}</p>
          <p className={styles.soft}>{t('scan.number', { number: state.number })}</p>
        </>
      )
    case 'expired':
    case 'denied':
    case 'confirmed':
      return <p className={styles.lead}>{t(`scan.${state.step}`)}</p>
    default:
      return <p className={styles.soft}>{t('scan.starting')}</p>
  }
}
