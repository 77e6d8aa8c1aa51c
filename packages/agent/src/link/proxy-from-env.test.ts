import { describe, expect, it } from 'vitest'
import { findProxy, type ProxyEnv } from './proxy-from-env.ts'

const find = (server: string, env: ProxyEnv) => findProxy(new URL(server), env)?.href ?? null
const both = { HTTPS_PROXY: 'http://secure:3128', HTTP_PROXY: 'http://plain:3128' }

describe('the proxy of an environment', () => {
  it('is the one for the scheme, and none where none is named', () => {
    expect(find('https://relay.test', both)).toBe('http://secure:3128/')
    expect(find('http://relay.test', both)).toBe('http://plain:3128/')
    expect(find('https://relay.test', { HTTP_PROXY: 'http://plain:3128' })).toBeNull()
    expect(find('https://relay.test', { HTTPS_PROXY: ' ' })).toBeNull()
  })

  it('is named in lower case before upper case', () => {
    expect(find('https://relay.test', { ...both, https_proxy: 'http://lower:1' })).toBe(
      'http://lower:1/',
    )
  })

  it.each([
    'https://localhost:8443',
    'https://127.0.0.1',
    'https://[::1]:1',
    'https://a.localhost',
  ])('is never asked for %s', server => expect(find(server, both)).toBeNull())

  it.each([
    ['*', true],
    ['relay.test', true],
    ['RELAY.TEST', true],
    ['other.test, relay.test', true],
    ['other.test relay.test', true],
    ['.test', true],
    ['*.test', true],
    ['relay.test:443', true],
    ['relay.test:8443', false],
    ['lay.test', false],
    ['.relay.test', false],
    ['test', false],
    [' , ', false],
  ])('is passed by where NO_PROXY is "%s": %s', (NO_PROXY, isPassedBy) => {
    expect(find('https://relay.test', { ...both, NO_PROXY }) === null).toBe(isPassedBy)
  })

  it.each(['socks5://proxy:1080', 'proxy:3128', '://'])('must not be %s', HTTPS_PROXY => {
    expect(() => find('https://relay.test', { HTTPS_PROXY })).toThrow('HTTPS_PROXY must be')
  })
})
