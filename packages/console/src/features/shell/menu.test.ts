import { describe, expect, it } from 'vitest'
import { buildMenu, type MenuInput } from './menu.ts'

const titles = (input: Partial<MenuInput>) =>
  buildMenu({ isStaff: false, hasProductPermission: false, billing: true, ...input }).map(group =>
    group.entries.map(entry => entry.title),
  )

describe('buildMenu', () => {
  it('is the menu of decisions.md section 4', () => {
    expect(titles({})).toEqual([
      ['statistics', 'devices', 'buy', 'invite'],
      ['announcements', 'record'],
      ['playersare', 'tutorial'],
    ])
  })

  it('has codes with the product permission and operations for staff', () => {
    expect(titles({ hasProductPermission: true })[0]).toContain('productos')
    expect(titles({ hasProductPermission: true })[0]).not.toContain('staff')
    expect(titles({ isStaff: true, hasProductPermission: true })[0]).toContain('staff')
  })

  it('hides buying and codes where billing is off', () => {
    expect(titles({ billing: false, hasProductPermission: true })[0]).toEqual([
      'statistics',
      'devices',
      'invite',
    ])
  })
})
