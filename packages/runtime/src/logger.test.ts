import { expect, test } from 'vitest'
import { createLogger, cutUrl, type LogLevel } from './logger.ts'

function collect(level: LogLevel = 'info') {
  const lines: string[] = []
  const logger = createLogger({
    level,
    name: 'test',
    destination: { write: line => lines.push(line) },
  })
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

test('fields with the name of a secret are hidden at every depth', () => {
  const { logger, last, lines } = collect()
  const secret = 'hunter2'
  logger.info({
    password: secret,
    oldPassword: secret,
    captcha_ticket: secret,
    key: secret,
    private_key: secret,
    req: {
      method: 'GET',
      headers: { authorization: secret, cookie: secret, 'set-cookie': [secret] },
    },
    list: [{ token: secret }],
  })
  expect(lines.join('')).not.toContain(secret)
  expect(last()).toMatchObject({
    password: '[hidden]',
    req: { method: 'GET', headers: { cookie: '[hidden]' } },
  })
})

test('what only looks like a secret is kept', () => {
  const { logger, last } = collect()
  const fields = { publicKey: 'abc', tokens: 3, keyboard: 'de', token: null, at: 1 }
  logger.info(fields)
  expect(last()).toMatchObject(fields)
})

test('something nested too deeply to be searched is hidden as a whole', () => {
  const { logger, lines } = collect()
  logger.info({ a: { b: { c: { d: { e: { f: { password: 'hunter2' } } } } } } })
  expect(lines.join('')).not.toContain('hunter2')
})

test('secrets in URLs are cut from fields, messages and stacks', () => {
  const { logger, lines } = collect()
  logger.info({ url: '/x?__hp_ticket=s3cret&a=1' }, 'GET /#/setup?code=s3cret')
  logger.error(new Error('cannot open http://nas.localhost/?token=s3cret'))
  const text = lines.join('')
  expect(text).not.toContain('s3cret')
  expect(text).toContain('/x?__hp_ticket=…&a=1')
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
})

test('the level decides what is written; an error keeps its message and stack', () => {
  const { logger, lines, last } = collect('error')
  logger.info('quiet')
  expect(lines).toHaveLength(0)
  logger.error({ err: new Error('loud') }, 'failed')
  expect(last()).toMatchObject({ msg: 'failed', name: 'test', err: { message: 'loud' } })
})

test.each([
  ['/a?code=1&state=2#x', '/a?code=…&state=…#x'],
  ['https://h/#/check?pairing=abc', 'https://h/#/check?pairing=…'],
  ['/a?encode=1&codes=2', '/a?encode=1&codes=2'],
  ['/a?TOKEN=x', '/a?TOKEN=…'],
  ['no url at all', 'no url at all'],
])('%s is cut to %s', (url, cut) => {
  expect(cutUrl(url)).toBe(cut)
})
