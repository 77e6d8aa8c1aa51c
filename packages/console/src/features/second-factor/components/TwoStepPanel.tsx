import { Alert, Button, Tag } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { PanelWaiting } from '../../../ui/PanelWaiting.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useEnrol, useSecondFactor } from '../api/second-factor.ts'
import styles from './SecondFactor.module.css'

const CodeDialog = lazyPart(async () => (await import('./CodeDialog.tsx')).CodeDialog)
const SetUpDialog = lazyPart(async () => (await import('./SetUpDialog.tsx')).SetUpDialog)

/** From here on recovery codes are said to run out. */
const fewCodes = 3

/** Two-step codes: on or off, and what can be done about it. */
export function TwoStepPanel() {
  const { t } = useTranslation('second-factor')
  const query = useSecondFactor()
  const { data } = query
  const enrolment = useEnrol()
  const [asking, setAsking] = useState<'renew' | 'disable'>()
  if (data === undefined) return <PanelWaiting query={query} failed={t('failed')} />
  const left = data.recovery_codes_left
  return (
    <>
      {data.enabled_at === null ? (
        <Button type="primary" loading={enrolment.isPending} onClick={() => enrolment.mutate()}>
          {t('twoStep.turnOn')}
        </Button>
      ) : (
        <>
          <p className={styles.state}>
            <Tag color="success">{t('twoStep.on')}</Tag>
            <span>
              {t('twoStep.since')} <RelativeTime instant={data.enabled_at} />
            </span>
            <span>{t('twoStep.left', { count: left })}</span>
          </p>
          {left <= fewCodes && (
            <Alert type="warning" showIcon title={t('twoStep.few')} style={{ marginBottom: 12 }} />
          )}
          <div className={styles.actions}>
            <Button onClick={() => setAsking('renew')}>{t('twoStep.renew')}</Button>
            <Button danger onClick={() => setAsking('disable')}>
              {t('twoStep.turnOff')}
            </Button>
          </div>
        </>
      )}
      <FailureNotice title={t('twoStep.beginFailed')} error={enrolment.error} />
      <Suspense>
        {enrolment.data !== undefined && (
          <SetUpDialog enrolment={enrolment.data} onClose={enrolment.reset} />
        )}
        {asking !== undefined && <CodeDialog kind={asking} onClose={() => setAsking(undefined)} />}
      </Suspense>
    </>
  )
}
