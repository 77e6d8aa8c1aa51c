import { expect, test } from 'vitest'
import { findBudgetProblems, type Manifest } from './budget.ts'

const manifest: Manifest = {
  'index.html': { file: 'entry.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'react.js' },
  '_table.js': { file: 'table.js' },
  'src/features/sign-in/LoginPage.tsx': {
    file: 'login.js',
    isDynamicEntry: true,
    imports: ['_react.js'],
  },
  'src/features/devices/DevicesPage.tsx': {
    file: 'devices.js',
    isDynamicEntry: true,
    imports: ['_react.js', '_table.js'],
  },
}
const sizes = (kilobytes: Record<string, number>) =>
  new Map(Object.entries(kilobytes).map(([file, size]) => [file, size * 1000]))

test('a console within its budget has no problem; shared chunks count once', () => {
  const light = sizes({
    'entry.js': 60,
    'react.js': 150,
    'login.js': 50,
    'devices.js': 60,
    'table.js': 60,
  })
  expect(findBudgetProblems(manifest, light)).toEqual([])
})

test('the first load and a page that add too much are named with their size', () => {
  const heavy = sizes({
    'entry.js': 60,
    'react.js': 150,
    'login.js': 51,
    'devices.js': 60,
    'table.js': 61,
  })
  expect(findBudgetProblems(manifest, heavy)).toEqual([
    'the login page loads 261 KB of JavaScript (gzip), the limit is 260 KB',
    'src/features/devices/DevicesPage.tsx adds 121 KB of JavaScript (gzip), the limit is 120 KB',
  ])
})

test('a build without a lazy login page cannot be judged', () => {
  expect(
    findBudgetProblems({ 'index.html': { file: 'entry.js', isEntry: true } }, new Map()),
  ).toEqual(['the manifest has no lazy login page (a module named Login….tsx)'])
})
