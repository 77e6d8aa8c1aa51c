import { describe, expect, it } from 'vitest'
import { appendTicket, parseNameUrl } from './name-url.ts'

const local = { consoleUrl: 'http://localhost:8080', tunnelDomain: 'localhost' }
const production = { consoleUrl: 'https://console.example', tunnelDomain: 'tunnel.example' }

describe('parseNameUrl', () => {
  it.each([
    ['http://nas.localhost:8080', 'nas'],
    ['http://nas.localhost:8080/', 'nas'],
    ['HTTP://NAS.localhost:8080/a?b=c#d', 'nas'],
    ['http://nas.localhost:8080?x', 'nas'],
    ['http://nas.localhost:8080#//evil.example', 'nas'],
    ['http://a-1.localhost:8080/https://evil.example/', 'a-1'],
    ['http://nas.localhost:8080/@evil.example', 'nas'],
    ['http://nas.localhost:8080/中文?q=文', 'nas'],
  ])('reads %j', (text, label) => {
    expect(parseNameUrl(text, local)).toEqual({ host: `${label}.localhost`, label })
  })

  it.each(['https://nas.tunnel.example/x', 'https://nas.tunnel.example:443/x'])(
    'reads %j with the default port',
    text => {
      expect(parseNameUrl(text, production)).toEqual({ host: 'nas.tunnel.example', label: 'nas' })
    },
  )

  it.each([
    '',
    'nas.localhost:8080',
    '/path',
    '//nas.localhost:8080/',
    '///nas.localhost:8080/',
    'http:nas.localhost:8080',
    'http:/nas.localhost:8080/',
    'http:///nas.localhost:8080/',
    'javascript:alert(1)',
    'javascript://nas.localhost:8080/%0aalert(1)',
    'data:text/html,http://nas.localhost:8080/',
    'ftp://nas.localhost:8080/',
    'https://nas.localhost:8080/',
    'http://nas.localhost/',
    'http://nas.localhost:80/',
    'http://nas.localhost:08081/',
    'http://nas.localhost:/',
    'http://nas.localhost:99999/',
    'http://localhost:8080/',
    'http://.localhost:8080/',
    'http://a.b.localhost:8080/',
    'http://nas.localhost.:8080/',
    'http://naslocalhost:8080/',
    'http://nas.localhost.evil.example:8080/',
    'http://nas.localhost@evil.example:8080/',
    'http://nas.localhost:8080@evil.example/',
    'http://user@nas.localhost:8080/',
    'http://user:pass@nas.localhost:8080/',
    'http://@nas.localhost:8080/',
    'http://:@nas.localhost:8080/',
    'http://evil.example\\@nas.localhost:8080/',
    'http://nas.localhost:8080\\@evil.example/',
    'http:\\\\nas.localhost:8080\\',
    'http://nas.localhost:8080/\\evil.example',
    ' http://nas.localhost:8080/',
    'http://nas.localhost:8080/ ',
    'http://nas.local\thost:8080/',
    'http://nas.localhost:8080/\r\nSet-Cookie: a=b',
    'ht\ntp://nas.localhost:8080/',
    'http://nas.localhost:8080/\u0000',
    'http://nas.localhost:8080/\u007f',
    'http://nas%2elocalhost:8080/',
    'http://n%61s.localhost:8080/',
    'http://ｎas.localhost:8080/',
    'http://nas。localhost:8080/',
    'http://nas_.localhost:8080/',
    'http://-nas.localhost:8080/',
    'http://nas-.localhost:8080/',
    `http://${'a'.repeat(64)}.localhost:8080/`,
    'http://127.0.0.1:8080/',
    'http://[::1]:8080/',
  ])('refuses %j', text => {
    expect(parseNameUrl(text, local)).toBeNull()
  })

  it.each([
    'http://nas.tunnel.example/',
    'https://nas.tunnel.example:8443/',
    'https://console.example/',
    'https://tunnel.example/',
  ])('refuses %j where names are on https', text => {
    expect(parseNameUrl(text, production)).toBeNull()
  })
})

describe('appendTicket', () => {
  it.each([
    ['http://n.localhost:8080', 'http://n.localhost:8080?__hp_ticket=T'],
    ['http://n.localhost:8080/', 'http://n.localhost:8080/?__hp_ticket=T'],
    ['http://n.localhost:8080/?', 'http://n.localhost:8080/?__hp_ticket=T'],
    [
      'http://n.localhost:8080/a%2Fb?x=1&y=%20',
      'http://n.localhost:8080/a%2Fb?x=1&y=%20&__hp_ticket=T',
    ],
    ['http://n.localhost:8080/?a&&b=#f?g#h', 'http://n.localhost:8080/?a&&b=&__hp_ticket=T#f?g#h'],
    ['http://n.localhost:8080/#?a=b', 'http://n.localhost:8080/?__hp_ticket=T#?a=b'],
    ['http://n.localhost:8080/?a=?b', 'http://n.localhost:8080/?a=?b&__hp_ticket=T'],
    ['http://n.localhost:8080/?__hp_ticket=evil&a=1', 'http://n.localhost:8080/?a=1&__hp_ticket=T'],
    [
      'http://n.localhost:8080/?a=1&__hp%5Fticket=evil',
      'http://n.localhost:8080/?a=1&__hp_ticket=T',
    ],
    ['http://n.localhost:8080/?__hp_ticket', 'http://n.localhost:8080/?__hp_ticket=T'],
    [
      'http://n.localhost:8080/?x__hp_ticket=1',
      'http://n.localhost:8080/?x__hp_ticket=1&__hp_ticket=T',
    ],
  ])('%j → %j', (text, location) => {
    expect(appendTicket(text, 'T')).toBe(location)
  })
})
