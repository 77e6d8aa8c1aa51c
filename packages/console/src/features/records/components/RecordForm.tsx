import { type RecordKind, recordKinds } from '@homeport/contract'
import { Alert, Form, type FormInstance, Input, Switch } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { ChoiceCards } from '../../devices/components/ChoiceCards.tsx'
import { useSettings } from '../../site/api/settings.ts'
import type { RecordField } from '../field-problems.ts'
import { judgeLabel, type RecordValues, schemesOf } from '../record-form.ts'
import { previewRecordUrl } from '../record-url.ts'
import { AdvancedFields, isAdvancedField } from './AdvancedFields.tsx'
import styles from './RecordForm.module.css'
import { TargetFields } from './TargetFields.tsx'
import { useProblemText } from './use-problem-text.ts'

/** The fields of a record. `error` is a failure that belongs to none of them. */
export function RecordForm(props: {
  id: string
  form: FormInstance<RecordValues>
  initialValues: RecordValues
  isNew: boolean
  isDeviceOnline: boolean
  error: unknown
  /** Fields the server refused in the last save. */
  problemFields: readonly RecordField[]
  onSubmit: (values: RecordValues) => void
}) {
  const { t } = useTranslation('records')
  const { form } = props
  const kind = Form.useWatch('kind', form) ?? props.initialValues.kind
  const [isAdvancedOpen, setAdvancedOpen] = useState(false)
  const hasHiddenProblem = props.problemFields.some(isAdvancedField)
  useEffect(() => {
    if (hasHiddenProblem) setAdvancedOpen(true)
  }, [hasHiddenProblem])
  return (
    <Form
      id={props.id}
      form={form}
      name="record"
      layout="vertical"
      requiredMark={false}
      initialValues={props.initialValues}
      scrollToFirstError={{ block: 'center', focus: true }}
      onValuesChange={(changed: Partial<RecordValues>) => {
        // Schemes follow the kind: bytes lead to bytes, pages to http or https.
        if (changed.kind !== undefined) form.setFieldValue('scheme', schemesOf(changed.kind)[0])
      }}
      onFinishFailed={({ errorFields }) => {
        if (errorFields.some(({ name }) => isAdvancedField(String(name[0])))) setAdvancedOpen(true)
      }}
      onFinish={() => props.onSubmit(form.getFieldsValue(true))}
    >
      {!props.isDeviceOnline && props.isNew && (
        <Alert
          type="info"
          showIcon
          title={t('drawer.deviceOffline')}
          className={styles.notice ?? ''}
        />
      )}
      <FailureNotice title={t('drawer.failed')} error={props.error} />
      <Form.Item
        name="kind"
        label={t('drawer.kind')}
        extra={props.isNew ? undefined : t('drawer.kindFixed')}
      >
        <ChoiceCards
          label={t('drawer.kind')}
          disabled={!props.isNew}
          choices={recordKinds.map(value => ({
            value,
            label: t(`drawer.kinds.${value}`),
            detail: t(`drawer.kindDetail.${value}`),
          }))}
        />
      </Form.Item>
      <NameField form={form} kind={kind} />
      <TargetFields form={form} kind={kind} />
      <AccessField kind={kind} />
      <Form.Item
        name="remark"
        label={t('drawer.remark')}
        rules={[{ max: 200, message: t('problems.remark.too_big') }]}
      >
        <Input placeholder={t('drawer.remarkPlaceholder')} autoComplete="off" />
      </Form.Item>
      <Form.Item name="enabled" label={t('drawer.enabled')} valuePropName="checked">
        <Switch />
      </Form.Item>
      {kind === 'http' && (
        <AdvancedFields form={form} isOpen={isAdvancedOpen} onToggle={setAdvancedOpen} />
      )}
    </Form>
  )
}

function NameField(props: { form: FormInstance<RecordValues>; kind: RecordKind }) {
  const { t } = useTranslation('records')
  const problemText = useProblemText()
  const settings = useSettings()
  const name = (Form.useWatch('name', props.form) ?? '').trim()
  const problem = judgeLabel(name)
  const url =
    settings === undefined || problem !== undefined
      ? undefined
      : previewRecordUrl(props.kind, name, settings)
  return (
    <>
      <Form.Item
        name="name"
        label={t('drawer.name')}
        normalize={(text: string) => text.toLowerCase().trim()}
        validateTrigger="onBlur"
        rules={[
          {
            validator: async (_, text: string) => {
              const code = judgeLabel(text ?? '')
              if (code !== undefined) throw new Error(problemText('name', code))
            },
          },
        ]}
      >
        <Input
          placeholder={t('drawer.namePlaceholder')}
          maxLength={63}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          suffix={
            settings !== undefined && (
              <span className={styles.suffix}>.{settings.tunnel_domain}</span>
            )
          }
        />
      </Form.Item>
      {url !== undefined && (
        <p className={styles.preview}>
          {t('drawer.preview')} <strong>{url.replace(/:\*$/, '')}</strong>
          {url.endsWith(':*') && ` (${t('drawer.previewPort')})`}
        </p>
      )}
    </>
  )
}

function AccessField(props: { kind: RecordKind }) {
  const { t } = useTranslation('records')
  if (props.kind === 'tcp') {
    return (
      <Form.Item name="access" label={t('drawer.access')}>
        <PublicNotice />
      </Form.Item>
    )
  }
  return (
    <Form.Item name="access" label={t('drawer.access')}>
      <ChoiceCards
        label={t('drawer.access')}
        choices={(['owner', 'public'] as const).map(value => ({
          value,
          label: t(`access.${value}`),
          detail: t(`accessDetail.${value}`),
        }))}
      />
    </Form.Item>
  )
}

/** In place of the choice where there is none; as a form control it only shows what the server says of the way in. */
function PublicNotice() {
  const { t } = useTranslation('records')
  return <Alert type="warning" showIcon title={t('accessDetail.tcp')} />
}
