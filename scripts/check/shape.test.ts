import { expect, test } from 'vitest'
import { findLongFiles, findMisplacedFiles } from './shape.ts'

const linesOf = (count: number) => 'x\n'.repeat(count)

test('product files stop at 500 lines, tests at 800', () => {
  const files = [
    { path: 'packages/relay/src/a.ts', text: linesOf(500) },
    { path: 'packages/relay/src/b.ts', text: linesOf(501) },
    { path: 'packages/relay/src/c.test.ts', text: linesOf(800) },
    { path: 'packages/relay/src/d.test.ts', text: linesOf(801) },
    { path: 'docs/protocol.md', text: linesOf(2000) },
  ]
  expect(findLongFiles(files)).toEqual([
    'packages/relay/src/b.ts: 501 lines, the limit is 500',
    'packages/relay/src/d.test.ts: 801 lines, the limit is 800',
  ])
})

test.each([
  'packages/relay/src/visitors/head-parser.ts',
  'packages/relay/src/visitors/head-parser.test.ts',
  'packages/console/src/features/devices/api/list-devices.ts',
  'packages/console/src/features/devices/components/DeviceCard.tsx',
  'packages/console/src/app/locales/zh-CN.ts',
  'packages/console/vite.config.ts',
  'scripts/check/imports.ts',
])('%s is well placed', path => {
  expect(findMisplacedFiles([{ path, text: '' }])).toEqual([])
})

test.each([
  ['packages/relay/src/headParser.ts', 'kebab-case'],
  ['packages/relay/src/HeadParser.ts', 'kebab-case'],
  ['packages/relay/src/a/b/c/d.ts', '3 folders under src/'],
  ['packages/console/src/features/a/b/c/d.ts', '4 folders under src/'],
  ['packages/relay/src/utils/x.ts', 'says nothing'],
])('%s is not', (path, reason) => {
  expect(findMisplacedFiles([{ path, text: '' }])).toEqual([expect.stringContaining(reason)])
})
