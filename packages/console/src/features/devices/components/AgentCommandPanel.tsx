import { QrcodeOutlined, ReloadOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Input, Radio } from 'antd'
import { Fragment, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { formatCountdown } from '../../../ui/instants.ts'
import { PanelWaiting } from '../../../ui/PanelWaiting.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { useSettings } from '../../site/api/settings.ts'
import { useSignedToken } from '../api/sign-token.ts'
import {
  type AgentPlatform,
  buildAgentCommand,
  isLoopbackAddress,
  needsInsecure,
  pickServerUrl,
} from '../wizard-commands.ts'
import styles from './AddDeviceWizard.module.css'

/** What was chosen for the command; whoever shows the panel keeps it while another kind of device is looked at. */
export interface CommandChoices {
  name: string
  way: 'token' | 'link'
  allowLoopback: boolean
}

/** The choices before anything was chosen. */
export const firstChoices: CommandChoices = { name: '', way: 'token', allowLoopback: false }

/** What to prepare and the command to run, with a one-time token or without any. */
export function AgentCommandPanel(props: {
  platform: AgentPlatform
  choices: CommandChoices
  onChange: (choices: CommandChoices) => void
}) {
  const { t } = useTranslation('devices')
  const nameId = useId()
  const settings = useSettings()
  const { name, way, allowLoopback } = props.choices
  const choose = (choice: Partial<CommandChoices>) =>
    props.onChange({ ...props.choices, ...choice })
  const pageOrigin = window.location.origin
  const serverUrl = pickServerUrl(settings?.console_url ?? pageOrigin, pageOrigin)
  const build = (token: string | undefined) =>
    buildAgentCommand({ platform: props.platform, serverUrl, token, name, allowLoopback })
  return (
    <>
      <h3 className={styles.section}>{t('wizard.prepare')}</h3>
      <p className={styles.hint}>{t('wizard.prepareDetail')}</p>
      {isLoopbackAddress(serverUrl) && (
        <Alert type="warning" showIcon title={t('wizard.localOnly', { url: serverUrl })} />
      )}
      {needsInsecure(serverUrl) && <Alert type="warning" showIcon title={t('wizard.insecure')} />}
      <h3 className={styles.section}>{t('wizard.run')}</h3>
      <div className={styles.field}>
        <label htmlFor={nameId} className={styles.fieldLabel}>
          {t('wizard.name')}
        </label>
        <Input
          id={nameId}
          value={name}
          onChange={event => choose({ name: event.target.value })}
          maxLength={64}
          placeholder={t('wizard.namePlaceholder')}
          autoComplete="off"
        />
      </div>
      <div className={styles.options}>
        <Radio.Group
          aria-label={t('wizard.way')}
          value={way}
          onChange={event => choose({ way: event.target.value as CommandChoices['way'] })}
          options={[
            { value: 'token', label: t('wizard.withToken') },
            { value: 'link', label: t('wizard.tokenless') },
          ]}
        />
        <Checkbox
          checked={allowLoopback}
          onChange={event => choose({ allowLoopback: event.target.checked })}
        >
          {t('wizard.loopback')}
        </Checkbox>
      </div>
      {way === 'link' ? (
        <>
          <CommandBlock text={build(undefined).text} />
          <p className={styles.commandFoot}>{t('wizard.tokenlessDetail')}</p>
        </>
      ) : (
        <SignedCommand build={token => build(token).text} />
      )}
      {build(undefined).nameLeftOut && (
        <Alert type="info" showIcon title={t('wizard.nameLeftOut')} />
      )}
    </>
  )
}

/** The command with a signed token, how long it holds, and a fresh one on demand. */
function SignedCommand(props: { build: (token: string) => string }) {
  const { t } = useTranslation('devices')
  const query = useSignedToken(useId())
  const { data, dataUpdatedAt, refetch, isFetching } = query
  // The clock ticks once a second: a token that came since the last tick would seem to live longer than it does.
  const nowMs = Math.max(useNow(1000), dataUpdatedAt)
  if (data === undefined)
    return <PanelWaiting query={query} failed={t('wizard.tokenFailed')} rows={3} />
  const expiresMs = Date.parse(data.expires_at)
  const isExpired = expiresMs <= nowMs
  const text = props.build(data.token)
  return (
    <>
      <CommandBlock text={text} isExpired={isExpired} />
      <p className={styles.commandFoot}>
        <span>
          {isExpired
            ? t('wizard.tokenExpired')
            : t('wizard.token', { left: formatCountdown(expiresMs, nowMs) })}
        </span>
        <Button
          size="small"
          type={isExpired ? 'primary' : 'default'}
          icon={<ReloadOutlined />}
          loading={isFetching}
          onClick={() => refetch()}
        >
          {t('wizard.refresh')}
        </Button>
      </p>
      {!isExpired && (
        <details
          className={styles.fold}
          onToggle={event => {
            // It opens downwards, where the bar at the drawer's foot would hide the code.
            const { open } = event.currentTarget
            if (open) event.currentTarget.scrollIntoView({ block: 'nearest' })
          }}
        >
          <summary>
            <QrcodeOutlined aria-hidden /> {t('wizard.qr')}
          </summary>
          <div className={styles.qr}>
            <span className={styles.qrFrame}>
              <QrCode data={text} label={t('wizard.qrLabel')} width={176} />
            </span>
            <span>{t('wizard.qrDetail')}</span>
          </div>
        </details>
      )}
    </>
  )
}

function CommandBlock(props: { text: string; isExpired?: boolean }) {
  const { t } = useTranslation(['devices', 'common'])
  const isExpired = props.isExpired ?? false
  return (
    <>
      <figure className={styles.figure}>
        <figcaption className="visually-hidden">{t('wizard.command')}</figcaption>
        <pre className={styles.command}>
          <code className={isExpired ? styles.expired : undefined}>
            {props.text.split(/ (?=--\w)/).map((option, index) => (
              <Fragment key={option}>
                {index > 0 && ' '}
                <span className={styles.option}>{option}</span>
              </Fragment>
            ))}
          </code>
        </pre>
      </figure>
      <div className={styles.commandFoot}>
        <CopyButton
          text={props.text}
          type="primary"
          block
          disabled={isExpired}
          label={t('common:action.copy')}
        />
      </div>
    </>
  )
}
