import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node'
import { root } from '../../setup/root.mjs'
import { brief, type TestReport } from './counts.ts'

/** Where the report is written, in the environment of the run. */
export const REPORT_PATH = 'REFILE_TEST_REPORT'

/** Set in the environment of a run if programs that judge results are missing: tests that need one are skipped by name. */
export const JUDGES_MISSING = 'REFILE_JUDGES_MISSING'

/** The program that is missing, if that is what an error says. */
const missingProgram = (message = ''): string | undefined =>
  process.env[JUDGES_MISSING] ? /^spawn(?:Sync)? ([^\s/]+) ENOENT/.exec(message)?.[1] : undefined

/** More files than these do not fail by chance. */
const MOST_AGAIN = 5

/** Errors outside of tests: of a file that could not be loaded, or of what runs before and after its tests. */
function* hookErrors(of: TestModule | TestSuite): Generator<string> {
  for (const { message } of of.errors()) yield message
  for (const child of of.children) if (child.type === 'suite') yield* hookErrors(child)
}

/** What a run has to report. @param errors those that nothing caught */
export function vitestReport(modules: readonly TestModule[], errors: readonly SerializedError[]): TestReport {
  const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 }
  const problems: string[] = []
  const failed = new Set<string>()
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result()
      const program = missingProgram(errors[0]?.message)
      if (program) {
        counts.skipped++
        problems.push(`skipped without ${program}: ${module.relativeModuleId} › ${test.fullName}`)
        continue
      }
      if (state !== 'pending') counts[state]++
      const isFlaky = test.diagnostic()?.flaky === true
      if (isFlaky) counts.flaky++
      if (!isFlaky && state !== 'failed') continue
      if (!isFlaky) failed.add(module.relativeModuleId)
      const what = isFlaky ? 'only the second time' : 'failed'
      problems.push(
        `${what}: ${module.relativeModuleId} › ${test.fullName}\n    ${brief(errors[0]?.message)}`,
      )
    }
    for (const message of hookErrors(module)) {
      const program = missingProgram(message)
      if (program) {
        problems.push(`skipped without ${program}: ${module.relativeModuleId}`)
        continue
      }
      counts.failed++
      failed.add(module.relativeModuleId)
      problems.push(`failed: ${module.relativeModuleId}\n    ${brief(message)}`)
    }
  }
  const places = errors.map(({ VITEST_TEST_PATH: path }) => (path ? relative(root, String(path)) : undefined))
  for (const [nth, { stack, message }] of errors.entries()) {
    const place = places[nth]
    if (place) failed.add(place)
    problems.push(
      `failed: ${place ?? 'no file in particular'}, outside of its tests\n    ${brief(stack ?? message)}`,
    )
  }
  const canTryAgain = failed.size <= MOST_AGAIN && places.every(Boolean)
  return { counts, problems, again: canTryAgain ? [...failed] : [] }
}

/** Writes what a run has to report to the file of `REPORT_PATH`. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    writeFileSync(process.env[REPORT_PATH]!, JSON.stringify(vitestReport(modules, errors)))
  }
}
