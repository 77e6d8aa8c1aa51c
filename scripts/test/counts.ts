/** How many of a runner's tests ended which way. */
export type Counts = { passed: number; failed: number; skipped: number }

/** What Vitest's JSON reporter writes, as far as it is counted. */
export type VitestReport = {
  testResults: {
    name: string
    status: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

/**
 * Counts a Vitest run. A file that failed without a failed test (it could not be imported, a hook threw) counts as one
 * failure, and so does a run that ends badly although every test passed (an unhandled rejection).
 */
export function countVitest(report: VitestReport, exitCode: number | null): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report.testResults) {
    const failedBefore = counts.failed
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1
      else if (status === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
    if (file.status === 'failed' && counts.failed === failedBefore) counts.failed += 1
  }
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

/** What failed in a Vitest run, as `file: test`; a file that could not run is named alone. */
export function listFailures(report: VitestReport): string[] {
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed')
      return tests.length === 0 ? [name] : tests.map(({ fullName }) => `${name}: ${fullName}`)
    })
}

/** Adds up the counts of all runners. */
export function addCounts(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((sum, counts) => sum + counts.passed, 0),
    failed: all.reduce((sum, counts) => sum + counts.failed, 0),
    skipped: all.reduce((sum, counts) => sum + counts.skipped, 0),
  }
}

/** The one line a test run ends with: "12 passed, 0 failed", and ", 3 skipped" when some were. */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A run is good only when something ran and nothing failed. */
export function isGood({ passed, failed }: Counts): boolean {
  return failed === 0 && passed > 0
}
