import {
  CheckCircleFilled,
  CloseCircleFilled,
  LoadingOutlined,
  MinusCircleOutlined,
} from '@ant-design/icons'
import {
  type CallResult,
  type checkDomainConnection,
  checkSteps,
  type RecordRow,
} from '@homeport/contract'
import { Alert, Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { useConnectionCheck } from '../../devices/api/check-domain-connection.ts'
import styles from './ConnectionCheck.module.css'

type Step = CallResult<typeof checkDomainConnection>['steps'][number]
type StepState = 'ok' | 'failed' | 'waiting' | 'skipped'

/** Opens a record once through the relay and shows how far it came, in five steps. */
export function ConnectionCheck(props: { record: RecordRow; frame: DialogFrame }) {
  const { t } = useTranslation(['records', 'common'])
  const { data, error, isFetching, refetch } = useConnectionCheck(props.record)
  const steps = isFetching ? undefined : data?.steps
  return (
    <Modal
      {...props.frame}
      title={t('checking.title', { name: props.record.name })}
      footer={[
        <Button key="again" disabled={isFetching} onClick={() => refetch()}>
          {t('checking.again')}
        </Button>,
        <Button key="close" type="primary" onClick={props.frame.onCancel}>
          {t('common:action.close')}
        </Button>,
      ]}
    >
      <div role="status">
        {isFetching ? (
          <Alert type="info" title={t('checking.running')} />
        ) : (
          data !== undefined &&
          error === null && (
            <Alert
              showIcon
              type={data.ok ? 'success' : 'error'}
              title={t(data.ok ? 'checking.ok' : 'checking.failed')}
            />
          )
        )}
      </div>
      {!isFetching && <FailureNotice title={t('checking.couldNot')} error={error} />}
      {(isFetching || error === null) && (
        <ol className={styles.steps}>
          {checkSteps.map(name => (
            <StepRow
              key={name}
              name={name}
              step={steps?.find(step => step.step === name)}
              isRunning={isFetching}
            />
          ))}
        </ol>
      )}
    </Modal>
  )
}

const icons: Record<StepState, ReactNode> = {
  ok: <CheckCircleFilled aria-hidden className={styles.ok ?? ''} />,
  failed: <CloseCircleFilled aria-hidden className={styles.failed ?? ''} />,
  waiting: <LoadingOutlined aria-hidden className={styles.soft ?? ''} />,
  skipped: <MinusCircleOutlined aria-hidden className={styles.soft ?? ''} />,
}

function StepRow(props: { name: Step['step']; step: Step | undefined; isRunning: boolean }) {
  const { t } = useTranslation('records')
  const { name, step } = props
  const state = props.isRunning ? 'waiting' : stateOf(step)
  const ms = step?.ms
  return (
    <li className={styles.step}>
      {icons[state]}
      <div className={styles.body}>
        <div className={styles.line}>
          <span className={state === 'skipped' ? styles.soft : undefined}>
            {t(`checking.steps.${name}`)}
          </span>
          <span className={styles.soft}>
            {ms == null
              ? t(`checking.step.${state}`)
              : `${t(`checking.step.${state}`)} · ${t('checking.ms', { ms: Math.round(ms) })}`}
          </span>
        </div>
        {step !== undefined && step.hint !== '' && state !== 'ok' && (
          <p className={styles.hint}>{step.hint}</p>
        )}
      </div>
    </li>
  )
}

function stateOf(step: Step | undefined): StepState {
  if (step === undefined || step.ok === null) return 'skipped'
  return step.ok ? 'ok' : 'failed'
}
