import type { RecordKind, TargetScheme } from '@homeport/contract'
import { Form, type FormInstance, Input, InputNumber } from 'antd'
import type { ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { judgeTarget, type RecordValues, schemesOf } from '../record-form.ts'
import { readPastedTarget } from '../target-text.ts'
import styles from './RecordForm.module.css'
import { useProblemText } from './use-problem-text.ts'

const usualPorts: Record<TargetScheme, string> = { http: '80', https: '443', tcp: '22' }

/** Scheme, host and port of the home side; a pasted address is taken apart. */
export function TargetFields(props: { form: FormInstance<RecordValues>; kind: RecordKind }) {
  const { t } = useTranslation('records')
  const { form, kind } = props
  const problemText = useProblemText()
  const schemes = schemesOf(kind)
  const scheme = Form.useWatch('scheme', form) ?? 'http'

  /** True where the text held more than a host and was spread over the fields. */
  const spread = (text: string): boolean => {
    const target = readPastedTarget(text, form.getFieldValue('scheme'))
    if (target === undefined) return false
    const { host, port } = target
    form.setFields([
      { name: 'host', value: host, touched: true, errors: [] },
      { name: 'port', value: port, touched: true, errors: [] },
    ])
    if (schemes.includes(target.scheme)) form.setFieldValue('scheme', target.scheme)
    return true
  }
  const spreadPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    if (spread(event.clipboardData.getData('text'))) event.preventDefault()
  }
  const ruleOf = (field: 'host' | 'port') => ({
    validator: async () => {
      const problem = judgeTarget(form.getFieldsValue(['scheme', 'host', 'port']))
      if (problem?.field === field) throw new Error(problemText(field, problem.code))
    },
  })
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{t('drawer.target')}</legend>
      <p className={styles.hint}>{t('drawer.targetDetail')}</p>
      <div className={styles.target}>
        <Form.Item name="scheme">
          <select
            className={styles.select}
            aria-label={t('drawer.scheme')}
            onChange={() => void form.validateFields(['port'])}
          >
            {schemes.map(value => (
              <option key={value} value={value}>{`${value}://`}</option>
            ))}
          </select>
        </Form.Item>
        <Form.Item name="host" rules={[ruleOf('host')]} validateTrigger="onBlur">
          <Input
            aria-label={t('drawer.host')}
            placeholder={t('drawer.hostPlaceholder')}
            maxLength={300}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            onPaste={spreadPaste}
            onBlur={event => spread(event.target.value)}
          />
        </Form.Item>
        <Form.Item name="port" rules={[ruleOf('port')]} validateTrigger="onBlur">
          <InputNumber
            aria-label={t('drawer.port')}
            prefix={<span className={styles.prefix}>{t('drawer.port')}</span>}
            placeholder={usualPorts[scheme]}
            min={1}
            max={65_535}
            precision={0}
            controls={false}
            style={{ width: '100%' }}
          />
        </Form.Item>
      </div>
    </fieldset>
  )
}
