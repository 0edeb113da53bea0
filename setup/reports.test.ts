import { describe, expect, test } from 'vitest'
import { playwrightCounts, vitestCounts } from './reports.ts'

describe('results of Vitest', () => {
  test('tests are counted, and a file that could not be loaded counts as a failed test', () => {
    const json = JSON.stringify({
      numPassedTests: 2,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        {
          status: 'failed',
          assertionResults: [{ status: 'passed' }, { status: 'failed' }, { status: 'failed' }],
        },
        { status: 'failed', assertionResults: [] },
        { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'skipped' }] },
      ],
    })
    expect(vitestCounts(json)).toEqual({ passed: 2, failed: 3, skipped: 2, flaky: 0 })
  })
})

describe('results of Playwright', () => {
  const report = (stats: object, errors: unknown[] = []) =>
    JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors })

  test('a test that passed only on retry has passed, and is named flaky', () => {
    expect(playwrightCounts(report({ expected: 5, unexpected: 1, flaky: 1, skipped: 2 }))).toEqual({
      passed: 6,
      failed: 1,
      skipped: 2,
      flaky: 1,
    })
  })

  test('an error outside of tests counts as a failed test', () => {
    expect(playwrightCounts(report({}, [{ message: 'no tests found' }]))).toMatchObject({
      passed: 0,
      failed: 1,
    })
  })
})
