import { expect, test } from 'vitest'
import { addCounts, countVitest, formatCounts, isGood, listFailures } from './counts.ts'

const fileOf = (status: string, ...tests: string[]) => ({
  name: 'x.test.ts',
  status,
  assertionResults: tests.map(status => ({ status, fullName: `it ${status}` })),
})

test('tests are counted by their status; todo and pending are skipped', () => {
  const report = { testResults: [fileOf('failed', 'passed', 'failed', 'skipped', 'todo')] }
  expect(countVitest(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 2 })
})

test('a file that cannot be imported is one failure', () => {
  const report = { testResults: [fileOf('failed'), fileOf('passed', 'passed')] }
  expect(countVitest(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('a run that ends badly with good tests is one failure', () => {
  expect(countVitest({ testResults: [fileOf('passed', 'passed')] }, 1).failed).toBe(1)
  expect(countVitest({ testResults: [fileOf('passed', 'passed')] }, null).failed).toBe(1)
})

test('what failed is named: tests by file and name, a file that could not run alone', () => {
  const report = {
    testResults: [
      fileOf('failed', 'passed', 'failed'),
      fileOf('failed'),
      fileOf('passed', 'passed', 'skipped'),
    ],
  }
  expect(listFailures(report)).toEqual(['x.test.ts: it failed', 'x.test.ts'])
})

test('the last line adds up all runners and names skipped tests only when there are some', () => {
  const sum = addCounts([
    { passed: 2, failed: 0, skipped: 0 },
    { passed: 3, failed: 1, skipped: 0 },
  ])
  expect(formatCounts(sum)).toBe('5 passed, 1 failed')
  expect(formatCounts({ ...sum, skipped: 4 })).toBe('5 passed, 1 failed, 4 skipped')
})

test('a run without a test is not good', () => {
  expect(isGood({ passed: 0, failed: 0, skipped: 0 })).toBe(false)
  expect(isGood({ passed: 0, failed: 0, skipped: 9 })).toBe(false)
  expect(isGood({ passed: 1, failed: 1, skipped: 0 })).toBe(false)
  expect(isGood({ passed: 1, failed: 0, skipped: 1 })).toBe(true)
})
