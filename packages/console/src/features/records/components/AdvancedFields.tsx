import { Form, type FormInstance, Input, Radio, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import type { HostChoice, RecordValues } from '../record-form.ts'
import styles from './RecordForm.module.css'

const hostChoices = ['target', 'public', 'custom'] as const satisfies readonly HostChoice[]

const advancedFields = ['host_choice', 'custom_host', 'tls_verify', 'tls_server_name']

/** True for a field that may be folded away. */
export const isAdvancedField = (name: string): boolean => advancedFields.includes(name)

/** How requests are fitted to the target. Fields stay mounted while folded, so that problems can be put at them. */
export function AdvancedFields(props: {
  form: FormInstance<RecordValues>
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}) {
  const { t } = useTranslation('records')
  const hostChoice = Form.useWatch('host_choice', props.form)
  const scheme = Form.useWatch('scheme', props.form)
  return (
    <details
      className={styles.fold}
      open={props.isOpen}
      onToggle={event => props.onToggle(event.currentTarget.open)}
    >
      <summary>{t('drawer.advanced')}</summary>
      <div className={styles.folded}>
        <Form.Item
          name="host_choice"
          label={t('drawer.hostHeader')}
          extra={t('drawer.hostHeaderDetail')}
        >
          <Radio.Group
            vertical
            options={hostChoices.map(value => ({
              value,
              label: t(`drawer.hostHeaders.${value}`),
            }))}
          />
        </Form.Item>
        {hostChoice === 'custom' && (
          <Form.Item
            name="custom_host"
            label={t('drawer.customHost')}
            normalize={(text: string) => text.trim()}
            rules={[{ required: true, message: t('problems.custom_host.required') }]}
          >
            <Input maxLength={260} placeholder="nas.lan:8080" spellCheck={false} />
          </Form.Item>
        )}
        {scheme === 'https' && (
          <>
            <Form.Item
              name="tls_verify"
              label={t('drawer.tlsVerify')}
              extra={t('drawer.tlsVerifyDetail')}
              valuePropName="checked"
            >
              <Switch />
            </Form.Item>
            <Form.Item
              name="tls_server_name"
              label={t('drawer.tlsServerName')}
              extra={t('drawer.tlsServerNameDetail')}
              normalize={(text: string) => text.trim()}
            >
              <Input maxLength={253} placeholder="nas.lan" spellCheck={false} />
            </Form.Item>
          </>
        )}
      </div>
    </details>
  )
}
