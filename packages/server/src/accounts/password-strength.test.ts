import process from 'node:process'
import { judgedPasswordLength } from '@homeport/contract'
import { expect, it } from 'vitest'
import { judgePassword } from './password-strength.ts'

const about = ['li.wei', 'weili@example.com', '+8613800138000']
const isTaken = async (password: string) =>
  (await judgePassword('password', password, about)).length === 0

it.each(['long enough pass', 'correct horse battery', 'Kp7-vx2-Qm9q', '我的密码是下雨天不带伞'])(
  'takes %s',
  async password => {
    expect(await isTaken(password)).toBe(true)
  },
)

it.each([
  ['that leads every list', '12345678'],
  ['with signs at its end', 'Iloveyou!!2'],
  ['in other letters', 'P4$$w0rd!'],
  ['of one character, however many', 'x'.repeat(128)],
  ['that runs along the keys', 'qwertyuiop'],
  ['of a date', '1990-05-21'],
  ['of common pinyin', 'woaini1314'],
  ['of a word of this product', 'Homeport2026'],
  ['in full width', 'ｐａｓｓｗｏｒｄ１２３'],
  ['that is a text repeated', 'abc123abc123abc123'],
  ["of its owner's name", 'li.wei2026'],
  ["of its owner's address", 'weili@example.com'],
  ['of a part of that address', 'weili12345'],
  ["of its owner's number", '13800138000'],
  ['that becomes long with nothing new', `password${'1'.repeat(100)}`],
])('refuses one %s', async (_, password) => {
  expect(await judgePassword('new_password', password, about)).toEqual([
    { path: 'new_password', code: 'too_weak' },
  ])
})

it('judges a bounded part, so that no text makes the server slow', async () => {
  await isTaken('the lists are loaded')
  const digits = Array.from({ length: 128 }, (_, at) => (at * 7919) % 10).join('')
  const texts = [
    '4@$1!0|3',
    'p4$$w0rd',
    '4@8({[‹369',
    '19911991',
    '|\\/|\\/',
    '0o1l!|',
    digits,
  ].map(text => text.repeat(128).slice(0, 128))
  // The work itself, not the time on the clock: other programs run beside this one.
  const used = async (each: string[]) => {
    const before = process.threadCpuUsage()
    for (const text of each) await judgePassword('password', text, about)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000 / each.length
  }
  expect(await used(texts)).toBeLessThan(60)
  const cut = texts.map(text => text.slice(0, judgedPasswordLength))
  for (const [at, text] of texts.entries()) {
    expect(await isTaken(text)).toBe(await isTaken(cut[at] ?? ''))
  }
})
