import { expect, it } from 'vitest'
import { isBrowserAddress, previewRecordUrl, shortAddress } from './record-url.ts'

const site = { record_url_pattern: 'http://*.localhost:8080', tunnel_domain: 'localhost' }

it('previews the address of an http record', () => {
  expect(previewRecordUrl('http', 'nas', site)).toBe('http://nas.localhost:8080')
})

it('leaves the port of a tcp record open', () => {
  expect(previewRecordUrl('tcp', 'ssh', site)).toBe('tcp://ssh.localhost:*')
})

it('does not read a label as a replacement pattern', () => {
  expect(previewRecordUrl('http', '$&', site)).toBe('http://$&.localhost:8080')
})

it('shortens an address to host and port', () => {
  expect(shortAddress('https://nas.tunnel.example/')).toBe('nas.tunnel.example')
  expect(shortAddress('tcp://ssh.localhost:20001')).toBe('ssh.localhost:20001')
})

it('tells addresses for browsers from others', () => {
  expect(isBrowserAddress('https://nas.tunnel.example')).toBe(true)
  expect(isBrowserAddress('tcp://ssh.localhost:20001')).toBe(false)
  expect(isBrowserAddress('javascript:alert(1)')).toBe(false)
})
