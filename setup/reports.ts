/** Reads the JSON reports of the two test runners. */

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Passed, but only the second time. */
  flaky: number
}

/** The part of Vitest's JSON report that is used here; it has the shape of Jest's. */
interface VitestReport {
  numPassedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/** The part of Playwright's JSON report that is used here. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

export function vitestCounts(json: string): Counts {
  const report = JSON.parse(json) as VitestReport
  // A file that cannot be loaded fails without a failed test; it counts as one.
  const failed = report.testResults.map(({ status, assertionResults }) => {
    const tests = assertionResults.filter(test => test.status === 'failed').length
    return tests || (status === 'failed' ? 1 : 0)
  })
  return {
    passed: report.numPassedTests,
    failed: failed.reduce((sum, count) => sum + count, 0),
    skipped: report.numPendingTests + report.numTodoTests,
    // They are missing in its report; what it prints names them.
    flaky: 0,
  }
}

export function playwrightCounts(json: string): Counts {
  const { stats, errors } = JSON.parse(json) as PlaywrightReport
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected || (errors.length > 0 ? 1 : 0),
    skipped: stats.skipped,
    flaky: stats.flaky,
  }
}
