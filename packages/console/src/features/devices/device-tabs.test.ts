import { expect, it } from 'vitest'
import { isDeviceTab, readDeviceId } from './device-tabs.ts'

it.each([
  ['1', 1],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['', undefined],
])('the id %j is %s', (text, id) => {
  expect(readDeviceId(text)).toBe(id)
})

it('knows its tabs', () => {
  expect(isDeviceTab('records')).toBe(true)
  expect(isDeviceTab('toString')).toBe(false)
})
