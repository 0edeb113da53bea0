import { describe, expect, test } from 'vitest'
import { playwrightReport } from './counts.ts'

const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }

describe('the report of Playwright', () => {
  test('a test that passed only on retry has passed, and what went wrong is named', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'a.spec.ts',
      line: 7,
      tests: [{ status }],
    })
    const inner = { title: 'group', specs: [spec('waits', 'flaky'), spec('works', 'expected')] }
    const suites = [{ title: 'a.spec.ts', specs: [spec('breaks', 'unexpected')], suites: [inner] }]
    const json = JSON.stringify({
      ...{ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [], suites },
    })
    expect(playwrightReport(json)).toEqual({
      counts: { passed: 6, failed: 1, skipped: 2, flaky: 1 },
      problems: ['failed: a.spec.ts:7 › breaks', 'only the second time: a.spec.ts:7 › waits'],
      again: [],
    })
  })

  test('an error outside of tests counts as a failed test', () => {
    const json = JSON.stringify({ stats, errors: [{ message: 'no tests found' }] })
    expect(playwrightReport(json)).toMatchObject({
      counts: { passed: 0, failed: 1 },
      problems: ['no tests found'],
    })
  })
})
