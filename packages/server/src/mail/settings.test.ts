import { expect, it } from 'vitest'
import { readSmtpSettings } from './settings.ts'

const from = '归港 <noreply@example.com>'

it('reads server, port, way of TLS, user and password', () => {
  expect(readSmtpSettings('smtp://li:p%40ss@mail.example.com', from)).toEqual({
    smtp: {
      host: 'mail.example.com',
      port: 587,
      isImplicitTls: false,
      user: 'li',
      password: 'p@ss',
      from,
    },
    problems: [],
  })
  expect(readSmtpSettings('smtps://mail.example.com', 'noreply@example.com').smtp).toEqual({
    host: 'mail.example.com',
    port: 465,
    isImplicitTls: true,
    from: 'noreply@example.com',
  })
  expect(readSmtpSettings('smtp://[::1]:2525', from).smtp).toMatchObject({
    host: '::1',
    port: 2525,
  })
  expect(readSmtpSettings(undefined, undefined)).toEqual({ smtp: null, problems: [] })
})

it.each([
  ['http://mail.example.com', from, 1],
  ['not an address', from, 1],
  ['smtp://mail.example.com/path', from, 1],
  ['smtp://only-user@mail.example.com', from, 1],
  ['smtp://mail.example.com', undefined, 1],
  [undefined, from, 1],
  ['ftp://secret:hunter2@mail.example.com', 'nobody', 2],
  ['smtp://mail.example.com', 'a@example.com\r\nBcc: b@example.com', 1],
])('refuses %s from %s with every problem, and repeats no password', (url, sender, count) => {
  const { smtp, problems } = readSmtpSettings(url, sender)
  expect(smtp).toBe(null)
  expect(problems).toHaveLength(count)
  expect(problems.join()).not.toContain('hunter2')
})
