import { describe, expect, it } from 'vitest'
import { parseTarget } from './target.ts'

const urlOf = (text: string) => {
  const target = parseTarget(text)
  return target.ok ? target.url : target.code
}

describe('targets', () => {
  it.each([
    ['http://192.168.1.1', 'http://192.168.1.1:80'],
    ['http://192.168.1.1/', 'http://192.168.1.1:80'],
    ['HTTPS://NAS.Local', 'https://nas.local:443'],
    ['https://proxmox:8006', 'https://proxmox:8006'],
    ['tcp://10.0.0.2:22', 'tcp://10.0.0.2:22'],
    ['http://[fd00:0:0::1]:8080', 'http://[fd00::1]:8080'],
    ['http://my_nas', 'http://my_nas:80'],
  ])('reads %s as %s', (text, url) => {
    expect(urlOf(text)).toBe(url)
    expect(urlOf(url)).toBe(url)
  })

  it.each([
    ['192.168.1.1', 'scheme'],
    ['ftp://192.168.1.1', 'scheme'],
    ['constructor://192.168.1.1:80', 'scheme'],
    ['file:///etc/passwd', 'host'],
    ['javascript:alert(1)', 'scheme'],
    ['http://', 'host'],
    ['http://user:secret@nas', 'host'],
    ['http://user@nas', 'host'],
    ['tcp://nas', 'port'],
    ['http://nas:0', 'port'],
    ['http://nas:70000', 'port'],
    ['http://nas/admin', 'path'],
    ['http://nas?x=1', 'path'],
    ['http://nas#x', 'path'],
    ['http://nas\\@evil', 'host'],
    ['http://nas evil', 'host'],
    ['http://[::1', 'host'],
    ['http://[nas]', 'host'],
  ])('refuses %s (%s)', (text, code) => expect(urlOf(text)).toBe(code))

  // Resolvers disagree on these: one reads 127.0.0.1, another a name; an allow-list must never have to guess.
  it.each([
    '127.1',
    '127.1.',
    '192.168.1.1.',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '010.0.0.1',
    '1.2.3.256',
    '1.2.3',
    '١٢٧.0.0.1',
  ])('refuses the odd address %s', host => expect(urlOf(`http://${host}`)).toBe('host'))
})
