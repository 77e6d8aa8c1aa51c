import { expect, it } from 'vitest'
import { changedFields } from './changed-fields.ts'

it('holds what differs and nothing else, lists by their content', () => {
  const opened = { name: 'nas', port: 80, isOn: true, ways: ['owner'] }
  expect(changedFields({ ...opened, ways: ['owner'] }, opened)).toEqual({})
  expect(changedFields({ ...opened, port: 81, ways: ['public'] }, opened)).toEqual({
    port: 81,
    ways: ['public'],
  })
  expect(changedFields({ ...opened, name: '', isOn: false }, opened)).toEqual({
    name: '',
    isOn: false,
  })
})
