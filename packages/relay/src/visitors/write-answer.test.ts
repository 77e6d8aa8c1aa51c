import { expect, test } from 'vitest'
import { writeAnswer } from './write-answer.ts'

const response = {
  status: 302,
  headers: [['Location', 'https://nas.example/']],
  body: 'text',
} as const
const place = { method: 'GET', closes: false, isSecure: true }
const write = (changes: Partial<typeof place> = {}) =>
  writeAnswer(response, { ...place, ...changes }).toString('latin1')

test('tells browsers to stay with https where they came by it, and only there', () => {
  expect(write()).toMatch(/\r\nStrict-Transport-Security: max-age=31536000\r\n/)
  expect(write({ isSecure: false })).not.toMatch(/strict-transport/i)
})

test('writes the length that a GET would get, and no body for HEAD', () => {
  expect(write()).toMatch(/\r\nContent-Length: 4\r\n\r\ntext$/)
  expect(write({ method: 'HEAD', closes: true })).toMatch(
    /\r\nContent-Length: 4\r\nConnection: close\r\n\r\n$/,
  )
})

test('never lets a value begin a header of its own', () => {
  const headers = [['Location', 'https://nas.example/\r\nSet-Cookie: a=b']] as const
  expect(() => writeAnswer({ ...response, headers }, place)).toThrow(TypeError)
})
