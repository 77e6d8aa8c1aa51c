import { createRecord, type RecordRow } from '@homeport/contract'
import { describe, expect, it } from 'vitest'
import {
  bodyOfValues,
  changesOfValues,
  emptyRecordValues,
  judgeLabel,
  judgeTarget,
  opensToEverybody,
  valuesOfRecord,
} from './record-form.ts'

const record: RecordRow = {
  id: 7,
  router: 3,
  name: 'pve',
  kind: 'http',
  target: 'https://192.168.1.9:8006',
  remark: 'Proxmox',
  enabled: false,
  access: ['owner'],
  options: { host_header: 'pve.lan:8006', tls_verify: true, tls_server_name: 'pve.lan' },
  url: 'http://pve.localhost:8080',
  port: null,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
}

describe('values and body', () => {
  it('keeps a stored record through the form', () => {
    const { name, target, remark, enabled, access, options } = record
    expect(bodyOfValues(valuesOfRecord(record))).toEqual({
      name,
      target,
      remark,
      enabled,
      access,
      options,
    })
  })

  it('makes a body the contract takes', () => {
    const values = { ...emptyRecordValues, name: 'nas', host: '192.168.1.2', port: 5000 }
    const body = createRecord.body.parse({ router: 3, kind: values.kind, ...bodyOfValues(values) })
    expect(body).toMatchObject({
      name: 'nas',
      target: 'http://192.168.1.2:5000',
      access: ['owner'],
    })
  })

  it('is public for tcp, whatever was chosen before the kind', () => {
    const values = { ...emptyRecordValues, kind: 'tcp', scheme: 'tcp' } as const
    expect(bodyOfValues({ ...values, host: 'nas', port: 22 }).access).toEqual(['public'])
  })

  it('drops the certificate name where the target is not https', () => {
    const values = { ...valuesOfRecord(record), scheme: 'http' } as const
    expect(bodyOfValues(values).options.tls_server_name).toBe('')
  })

  it('sends an unreadable target as typed', () => {
    expect(bodyOfValues({ ...emptyRecordValues, host: 'a b' }).target).toBe('http://a b')
  })
})

describe('changesOfValues', () => {
  const opened = valuesOfRecord(record)

  it('is empty where nothing was touched', () => {
    expect(changesOfValues(opened, record, record)).toEqual({})
  })

  it('leaves out what was not touched, whatever it became elsewhere', () => {
    const latest = { ...record, name: 'proxmox', enabled: true }
    expect(changesOfValues({ ...opened, remark: '机房' }, record, latest)).toEqual({
      remark: '机房',
    })
    expect(changesOfValues({ ...opened, port: 443 }, record, latest)).toEqual({
      target: 'https://192.168.1.9:443',
    })
    expect(changesOfValues({ ...opened, access: 'public' }, record, latest)).toEqual({
      access: ['public'],
    })
  })

  it('keeps an option that was changed elsewhere beside the one that was touched here', () => {
    const latest = { ...record, options: { ...record.options, tls_verify: false } }
    const values = { ...opened, host_choice: 'target' } as const
    expect(changesOfValues(values, record, latest)).toEqual({
      options: { host_header: 'target', tls_verify: false, tls_server_name: 'pve.lan' },
    })
  })
})

describe('opensToEverybody', () => {
  const open = { ...valuesOfRecord(record), access: 'public' } as const
  it('asks again only when something opens', () => {
    expect(opensToEverybody(open, undefined)).toBe(true)
    expect(opensToEverybody(open, record)).toBe(true)
    expect(opensToEverybody(open, { ...record, access: ['public'] })).toBe(false)
    expect(opensToEverybody(valuesOfRecord(record), record)).toBe(false)
  })
})

describe('judging input', () => {
  it('judges labels like the contract', () => {
    expect(judgeLabel(' NAS-2 ')).toBeUndefined()
    expect(judgeLabel('')).toBe('required')
    expect(judgeLabel('admin')).toBe('reserved')
    expect(judgeLabel('-nas')).toBe('invalid_format')
    expect(judgeLabel('xn--abc')).toBe('invalid_format')
    expect(judgeLabel('我的')).toBe('invalid_format')
  })

  it('puts a target problem at its field', () => {
    expect(judgeTarget({ scheme: 'http', host: 'nas', port: 80 })).toBeUndefined()
    expect(judgeTarget({ scheme: 'http', host: '', port: 80 })).toEqual({
      field: 'host',
      code: 'required',
    })
    expect(judgeTarget({ scheme: 'tcp', host: 'nas', port: null })).toEqual({
      field: 'port',
      code: 'port',
    })
    expect(judgeTarget({ scheme: 'http', host: 'nas/path', port: 80 })).toEqual({
      field: 'host',
      code: 'path',
    })
  })
})
