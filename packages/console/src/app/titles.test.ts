import { describe, expect, it } from 'vitest'
import { texts } from '../i18n/texts/zh-CN.ts'
import { findTitle, formatTitle } from './titles.ts'

describe('page titles', () => {
  it('is the label, a dash and the title', () => {
    expect(formatTitle('我的设备')).toBe('归港 - 我的设备')
  })

  it('is the label alone where the route has no title', () => {
    expect(formatTitle(undefined)).toBe('归港')
  })

  it('takes the deepest route that has one', () => {
    expect(findTitle([undefined, { title: 'staff' }, undefined])).toBe('staff')
    expect(findTitle([{ title: 'staff' }, { title: 'devices' }])).toBe('devices')
    expect(findTitle([undefined, null, {}])).toBeUndefined()
  })

  it('words the titles of client.md and decisions.md', () => {
    expect(texts.titles).toMatchObject({
      check: '验证登录',
      login: '登录',
      errorport: '访问错误',
      devices: '我的设备',
      playersare: '玩家交流',
      productos: '兑换码管理',
      record: '验证记录',
      invite: '邀请好友',
      buy: '购买套餐',
      statistics: '主页',
      userInfo: '个人信息',
    })
  })
})
