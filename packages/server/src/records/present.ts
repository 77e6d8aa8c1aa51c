import { type AccessWay, type RecordRow, recordOptionsSchema } from '@homeport/contract'
import { type NameUrlConfig, urlOfRecord } from './name-urls.ts'
import type { StoredRecord } from './store.ts'

/** The ways in of a stored record. */
export const accessOf = (record: Pick<StoredRecord, 'access'>): AccessWay[] =>
  JSON.parse(record.access) as AccessWay[]

/** The options of a stored record; an option that is younger than the row has its default. */
export const optionsOf = (record: Pick<StoredRecord, 'options'>) =>
  recordOptionsSchema.parse(JSON.parse(record.options))

/** A record as its owner sees it. */
export function presentRecord(record: StoredRecord, config: NameUrlConfig): RecordRow {
  return {
    id: record.id,
    router: record.device_id,
    name: record.name,
    kind: record.kind,
    target: record.target,
    remark: record.remark,
    enabled: record.enabled === 1,
    access: accessOf(record),
    options: optionsOf(record),
    url: urlOfRecord(config, record),
    port: record.port,
    created_at: new Date(record.created_at).toISOString(),
    updated_at: new Date(record.updated_at).toISOString(),
  }
}
