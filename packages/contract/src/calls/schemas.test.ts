import { expect, it } from 'vitest'
import { usernameSchema } from './schemas.ts'

it.each(['li.wei', 'Li_Wei-2', '小明明', '马云飞', '佐々木', '〇〇七', '𠮷野家'])(
  '%s is a user name',
  name => {
    expect(usernameSchema.parse(name)).toBe(name)
  },
)

it.each([
  ['a radical that looks like an ideograph', '\u2ee2云飞'],
  ['a letter of another script', 'l\u0456wei'],
  ['a letter that is wide', '\uff4ciwei'],
  ['a sign that is not seen', 'li\u200bwei'],
  ['a sign that turns the reading round', 'li\u202ewei'],
  ['a variant of an ideograph', '小明\ufe00明'],
  ['half a character', 'liw\ud842'],
  ['U+0000', 'li\0wei'],
  ['a space', 'li wei'],
  ['an address', 'li@wei'],
  ['a number alone', '13800138000'],
  ['a sign in front', '.liwei'],
  ['a line feed behind', 'liwei\n.'],
])('%s makes no user name', (_, name) => {
  expect(usernameSchema.safeParse(name).success).toBe(false)
})
