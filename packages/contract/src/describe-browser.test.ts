import { expect, it } from 'vitest'
import { describeBrowser } from './describe-browser.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`,
    'Chrome · Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge · Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari · iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
  [
    `Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/140 Mobile Safari/537.36 MicroMessenger/8.0`,
    '微信 · Android',
  ],
  ['curl/8.5.0', 'curl'],
  ['', ''],
  ['<script>', ''],
])('%s', (userAgent, text) => {
  expect(describeBrowser(userAgent)).toBe(text)
})
