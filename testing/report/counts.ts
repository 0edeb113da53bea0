/** What a test runner has to report, and how it is told from the JSON report of Playwright. */

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Passed, but only the second time. */
  flaky: number
}

export interface TestReport {
  counts: Counts
  /** What went wrong, each in a line or a few: the summary at the end repeats them, since the log of a long run is often cut. */
  problems: string[]
  /** Files with anything that failed, if they are few: they get another try, alone and in a new process. */
  again: string[]
}

/** The part of Playwright's JSON report that is used here. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message?: string }[]
  suites?: PlaywrightSuite[]
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; file: string; line: number; tests: { status: string }[] }[]
}

/** The first lines of what an error says, on one line each. */
export const brief = (message = ''): string => message.trim().split('\n').slice(0, 4).join('\n    ')

function* unfortunate(suites: readonly PlaywrightSuite[]): Generator<string> {
  for (const { suites: inner = [], specs = [] } of suites) {
    for (const { title, file, line, tests } of specs)
      for (const { status } of tests)
        if (status === 'unexpected' || status === 'flaky')
          yield `${status === 'flaky' ? 'only the second time' : 'failed'}: ${file}:${line} › ${title}`
    yield* unfortunate(inner)
  }
}

/** What is reported of a run whose failed files passed when they ran again. */
export function passedAgain({ counts, problems, again }: TestReport): TestReport {
  const { passed, failed, flaky } = counts
  return {
    counts: { ...counts, passed: passed + failed, failed: 0, flaky: flaky + failed },
    problems: [
      ...problems.map(problem => problem.replace(/^failed:/, 'failed at first:')),
      `passed when they ran again: ${again.join(', ')}`,
    ],
    again: [],
  }
}

/** @param json Playwright's own report */
export function playwrightReport(json: string): TestReport {
  const { stats, errors, suites = [] } = JSON.parse(json) as PlaywrightReport
  return {
    counts: {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected || (errors.length > 0 ? 1 : 0),
      skipped: stats.skipped,
      flaky: stats.flaky,
    },
    problems: [...unfortunate(suites), ...errors.map(({ message }) => brief(message))],
    again: [],
  }
}
