import { expect, test } from 'vitest'
import { ConfigError, option, readOptions } from './config.ts'
import {
  parseBoolean,
  parseChoice,
  parseInteger,
  parseList,
  parsePortRange,
  parseText,
  parseUrl,
} from './parsers.ts'

const table = {
  port: option({
    env: 'HP_PORT',
    flag: '--port',
    parse: parseInteger(0, 65_535),
    default: 8080,
    doc: 'Port.',
  }),
  demo: option({
    env: 'HP_DEMO',
    flag: '--demo',
    parse: parseBoolean,
    default: false,
    doc: 'Demo.',
  }),
  allow: option({
    env: 'HP_ALLOW',
    flag: '--allow',
    parse: parseList(parseText),
    default: [],
    doc: 'Ranges.',
  }),
  password: option({
    env: 'HP_PASSWORD',
    flag: '--password',
    parse: parseInteger(1, 9),
    doc: 'Secret.',
    isSecret: true,
  }),
}

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('a flag wins over the environment, which wins over the default', () => {
  const env = { HP_PORT: '1', HP_ALLOW: ' 10.0.0.0/8, 192.168.0.0/16 ', HP_DEMO: '' }
  expect(readOptions(table, { flags: { port: '2', demo: true }, env })).toEqual({
    port: 2,
    demo: true,
    allow: ['10.0.0.0/8', '192.168.0.0/16'],
    password: undefined,
  })
  expect(readOptions(table, { flags: {}, env }).port).toBe(1)
  expect(readOptions(table, { flags: {}, env: {} }).port).toBe(8080)
})

test('a repeated flag is a list', () => {
  expect(readOptions(table, { flags: { allow: ['a', 'b'] }, env: {} }).allow).toEqual(['a', 'b'])
})

test('all problems are told at once, and a secret is never repeated', () => {
  const sources = { flags: { port: '99999' }, env: { HP_DEMO: 'perhaps', HP_PASSWORD: 'hunter2' } }
  expect(problemsOf(() => readOptions(table, sources))).toEqual([
    '--port must be a whole number from 0 to 65535, not "99999"',
    'HP_DEMO must be on or off, not "perhaps"',
    'HP_PASSWORD must be a whole number from 1 to 9',
  ])
})

test.each([
  [parseInteger(1, 5), '3', 3],
  [parseBoolean, 'OFF', false],
  [parseChoice('on', 'off'), 'off', 'off'],
  [parsePortRange, '20000-20999', { first: 20_000, last: 20_999 }],
  [parsePortRange, '443', { first: 443, last: 443 }],
  [parseList(parseText), '', []],
])('%o reads %s', (parse, text, value) => {
  expect(parse(text)).toEqual(value)
})

test.each([
  [parseInteger(1, 5), '6'],
  [parseInteger(1, 5), '3.5'],
  [parseInteger(1, 5), '0x3'],
  [parseInteger(1, 5), ''],
  [parseChoice('on', 'off'), 'On'],
  [parsePortRange, '2-1'],
  [parsePortRange, '1-2-3'],
  [parsePortRange, '0-5'],
  [parseText, ''],
  [parseUrl('https'), 'http://example.com'],
  [parseUrl('https'), 'https://me:secret@example.com'],
  [parseUrl('https'), 'example.com'],
])('%o refuses %s', (parse, text) => {
  expect(() => parse(text)).toThrow(/^must/)
})

test('an address is read as a URL', () => {
  expect(parseUrl('http', 'https')('https://example.com:8443/x').port).toBe('8443')
})
