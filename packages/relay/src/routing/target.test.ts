import { describe, expect, it } from 'vitest'
import { hostRulesOf, readHostTarget } from './target.ts'

const rules = hostRulesOf('http://localhost:8080', 'localhost', false)
const apart = hostRulesOf('https://console.example:8443', 'Tunnel.Example', true)

describe('where a host leads', () => {
  it.each([
    ['localhost', { kind: 'console' }],
    ['localhost:8080', { kind: 'console' }],
    ['LOCALHOST.:1', { kind: 'console' }],
    ['nas.localhost:8080', { kind: 'name', host: 'nas.localhost' }],
    ['NAS.localhost.', { kind: 'name', host: 'nas.localhost' }],
    ['a.nas.localhost', { kind: 'other', host: 'a.nas.localhost' }],
    ['-nas.localhost', { kind: 'other', host: '-nas.localhost' }],
    ['.localhost', { kind: 'other', host: '.localhost' }],
    ['nas.localhost..', { kind: 'other', host: 'nas.localhost.' }],
    ['evil-localhost', { kind: 'other', host: 'evil-localhost' }],
    ['localhost.evil', { kind: 'other', host: 'localhost.evil' }],
    ['127.0.0.1:8080', { kind: 'other', host: '127.0.0.1' }],
    ['[::1]:8080', { kind: 'other', host: '::1' }],
    ['', { kind: 'other', host: '' }],
  ])('reads %j', (authority, expected) => {
    expect(readHostTarget(authority, rules)).toEqual(expected)
  })

  it.each([
    ['console.example', { kind: 'console' }],
    ['192.168.1.5:8443', { kind: 'console' }],
    ['[fe80::1]', { kind: 'console' }],
    ['nas.tunnel.example', { kind: 'name', host: 'nas.tunnel.example' }],
    ['tunnel.example', { kind: 'other', host: 'tunnel.example' }],
    ['0x7f.1', { kind: 'other', host: '0x7f.1' }],
  ])('reads %j of another deployment', (authority, expected) => {
    expect(readHostTarget(authority, apart)).toEqual(expected)
  })
})
