import { describe, expect, it } from 'vitest'
import { fieldsOfTarget, readPastedTarget, readTargetFields } from './target-text.ts'

describe('readPastedTarget', () => {
  it('takes a whole address apart and drops its path', () => {
    expect(readPastedTarget(' http://192.168.1.10:8123/lovelace?x=1 ', 'https')).toEqual({
      scheme: 'http',
      host: '192.168.1.10',
      port: 8123,
    })
  })

  it('fills in the port of the scheme', () => {
    expect(readPastedTarget('https://nas.lan', 'http')).toEqual({
      scheme: 'https',
      host: 'nas.lan',
      port: 443,
    })
  })

  it('splits host and port and keeps the chosen scheme', () => {
    expect(readPastedTarget('192.168.1.2:22', 'tcp')).toEqual({
      scheme: 'tcp',
      host: '192.168.1.2',
      port: 22,
    })
    expect(readPastedTarget('[fd00::1]:8080', 'http')).toEqual({
      scheme: 'http',
      host: 'fd00::1',
      port: 8080,
    })
  })

  it('leaves a plain host and what it cannot read as typed', () => {
    expect(readPastedTarget('192.168.1.2', 'http')).toBeUndefined()
    expect(readPastedTarget('http://0x7f.1/', 'http')).toBeUndefined()
    expect(readPastedTarget('http://user:pw@nas/', 'http')).toBeUndefined()
    expect(readPastedTarget('nas:99999', 'http')).toBeUndefined()
    expect(readPastedTarget('ftp://nas/', 'http')).toBeUndefined()
  })
})

describe('readTargetFields', () => {
  it('gives the canonical target', () => {
    expect(readTargetFields({ scheme: 'http', host: ' NAS.lan ', port: 5000 })).toMatchObject({
      ok: true,
      url: 'http://nas.lan:5000',
    })
    expect(readTargetFields({ scheme: 'https', host: 'nas', port: null })).toMatchObject({
      ok: true,
      url: 'https://nas:443',
    })
  })

  it('puts brackets around an IPv6 address', () => {
    expect(readTargetFields({ scheme: 'tcp', host: 'fd00::1', port: 22 })).toMatchObject({
      ok: true,
      url: 'tcp://[fd00::1]:22',
    })
  })

  it('names the part that is wrong', () => {
    expect(readTargetFields({ scheme: 'http', host: ' ', port: 80 })).toEqual({
      ok: false,
      code: 'required',
    })
    expect(readTargetFields({ scheme: 'http', host: '2130706433', port: 80 })).toEqual({
      ok: false,
      code: 'host',
    })
    expect(readTargetFields({ scheme: 'tcp', host: 'nas', port: null })).toEqual({
      ok: false,
      code: 'port',
    })
  })
})

describe('fieldsOfTarget', () => {
  it('reads back what the server stores', () => {
    expect(fieldsOfTarget('https://[fd00::1]:8006')).toEqual({
      scheme: 'https',
      host: 'fd00::1',
      port: 8006,
    })
  })
})
