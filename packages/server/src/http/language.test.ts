import { expect, it } from 'vitest'
import { pickLanguage } from './language.ts'

it.each([
  [undefined, 'zh'],
  ['', 'zh'],
  ['en', 'en'],
  ['EN-us', 'en'],
  ['fr, de;q=0.9', 'zh'],
  ['fr, en;q=0.1', 'en'],
  ['zh-CN, en;q=0.9', 'zh'],
  ['en;q=0.8, zh;q=0.9', 'zh'],
  ['en;q=0.9, zh-TW;q=0.8', 'en'],
  ['en;q=0', 'zh'],
  ['*', 'zh'],
])('%s is answered in %s', (header, language) => {
  expect(pickLanguage(header)).toBe(language)
})
