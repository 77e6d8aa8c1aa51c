import {
  type AccessWay,
  labelSchema,
  type RecordKind,
  type RecordRow,
  reservedLabels,
  type TargetScheme,
} from '@homeport/contract'
import { changedFields } from '../../ui/changed-fields.ts'
import { fieldsOfTarget, readTargetFields, type TargetFields } from './target-text.ts'

/** How `Host` is chosen in the form; `custom` takes the name in `custom_host`. */
export type HostChoice = 'target' | 'public' | 'custom'

/** What the record drawer edits. */
export interface RecordValues {
  kind: RecordKind
  name: string
  scheme: TargetScheme
  host: string
  port: number | null
  access: AccessWay
  remark: string
  enabled: boolean
  host_choice: HostChoice
  custom_host: string
  tls_verify: boolean
  tls_server_name: string
}

/** A fresh record: an http service, for its owner alone (decisions.md section 5). */
export const emptyRecordValues: RecordValues = {
  kind: 'http',
  name: '',
  scheme: 'http',
  host: '',
  port: null,
  access: 'owner',
  remark: '',
  enabled: true,
  host_choice: 'target',
  custom_host: '',
  tls_verify: false,
  tls_server_name: '',
}

/** The form's values of a stored record. */
export function valuesOfRecord(record: RecordRow): RecordValues {
  const hostHeader = record.options.host_header
  const isNamed = hostHeader === 'target' || hostHeader === 'public'
  return {
    kind: record.kind,
    name: record.name,
    ...fieldsOfTarget(record.target),
    access: record.access.includes('public') ? 'public' : 'owner',
    remark: record.remark,
    enabled: record.enabled,
    host_choice: isNamed ? hostHeader : 'custom',
    custom_host: isNamed ? '' : hostHeader,
    tls_verify: record.options.tls_verify,
    tls_server_name: record.options.tls_server_name,
  }
}

/** Schemes of the home side that fit the visitor's side: bytes to bytes, http to http or https. */
export const schemesOf = (kind: RecordKind): readonly TargetScheme[] =>
  kind === 'tcp' ? ['tcp'] : ['http', 'https']

/** The body of the create and the change call (without `router` and `kind`). Values must have passed the form's rules. */
export function bodyOfValues(values: RecordValues) {
  const target = readTargetFields(values)
  return {
    name: values.name,
    // An unreadable target goes to the server as typed: it answers with the same problem the form would show.
    target: target.ok ? target.url : `${values.scheme}://${values.host}`,
    remark: values.remark,
    enabled: values.enabled,
    access: [accessOf(values)],
    options: {
      host_header: values.host_choice === 'custom' ? values.custom_host : values.host_choice,
      tls_verify: values.tls_verify,
      tls_server_name: values.scheme === 'https' ? values.tls_server_name : '',
    },
  }
}

/**
 * The change call's body: the fields in which the values differ from those the form opened with, so that what changed
 * elsewhere meanwhile stays. Options travel as a whole, so the untouched ones are taken from `latest`, the record as it
 * is known now.
 */
export function changesOfValues(values: RecordValues, opened: RecordRow, latest: RecordRow) {
  const before = bodyOfValues(valuesOfRecord(opened))
  const { options, ...fields } = bodyOfValues(values)
  const changedOptions = changedFields(options, before.options)
  return {
    ...changedFields(fields, before),
    ...(Object.keys(changedOptions).length === 0
      ? {}
      : { options: { ...latest.options, ...changedOptions } }),
  }
}

/** The way in that will be saved: tcp has no gate that could ask who is there, so it is always public. */
export const accessOf = (values: Pick<RecordValues, 'kind' | 'access'>): AccessWay =>
  values.kind === 'tcp' ? 'public' : values.access

/** True where saving opens something to everybody that was not open before: asked about a second time. */
export const opensToEverybody = (values: RecordValues, before: RecordRow | undefined): boolean =>
  accessOf(values) === 'public' && !before?.access.includes('public')

/** What is wrong with a label while it is typed; undefined where it may be asked for. */
export function judgeLabel(text: string): 'required' | 'reserved' | 'invalid_format' | undefined {
  const label = text.trim().toLowerCase()
  if (label === '') return 'required'
  if (reservedLabels.has(label)) return 'reserved'
  return labelSchema.safeParse(label).success ? undefined : 'invalid_format'
}

/** What is wrong with the target fields, and at which field it shows. */
export function judgeTarget(
  fields: TargetFields,
): { field: 'scheme' | 'host' | 'port'; code: string } | undefined {
  const target = readTargetFields(fields)
  if (target.ok) return undefined
  if (target.code === 'port' || target.code === 'scheme') {
    return { field: target.code, code: target.code }
  }
  return { field: 'host', code: target.code }
}
