import type { Announcement } from '@homeport/contract'
import { describe, expect, it } from 'vitest'
import { isRead, largestId, toRows } from './announcements.ts'

const announcement = (id: number, more: Partial<Announcement> = {}): Announcement => ({
  id,
  title: `t${id}`,
  detail: `d${id}`,
  url: '',
  display: true,
  ...more,
})

describe('announcements', () => {
  it('numbers displayed rows from 1 without gaps', () => {
    const rows = toRows([announcement(3), announcement(4, { display: false }), announcement(9)])
    expect(rows.map(row => row.text)).toEqual(['1. 【t3】: d3', '2. 【t9】: d9'])
  })

  it('opens http(s) addresses alone', () => {
    const links = [
      'https://a.example/x',
      'http://a.example',
      '',
      'javascript:alert(1)',
      '/x',
      'ftp://a',
    ]
    const rows = toRows(links.map((url, index) => announcement(index + 1, { url })))
    expect(rows.map(row => row.link)).toEqual([
      'https://a.example/x',
      'http://a.example/',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('counts the largest id over displayed rows alone', () => {
    expect(
      largestId(toRows([announcement(7), announcement(5), announcement(9, { display: false })])),
    ).toBe(7)
    expect(largestId([])).toBe(0)
  })

  it('is read from the largest displayed id on', () => {
    const rows = toRows([announcement(5), announcement(7)])
    expect(isRead(rows, 6)).toBe(false)
    expect(isRead(rows, 7)).toBe(true)
    expect(isRead(rows, 8)).toBe(true)
    expect(isRead([], 0)).toBe(true)
  })
})
