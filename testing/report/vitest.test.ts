import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { root } from '../../setup/root.mjs'
import { testFull } from '../describe-full.ts'
import { isFull } from '../fixtures/full.ts'
import { passedAgain, type TestReport } from './counts.ts'
import { JUDGES_MISSING, REPORT_PATH } from './vitest.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-report-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
})

/** What Vitest reports of a file with these tests, or of several such files. */
function report(
  tests: string,
  names: readonly string[] = ['some'],
): { status: number | null; report: TestReport } {
  const path = join(folder, 'report.json')
  const paths = names.map(name => join(folder, `${name}.test.ts`))
  for (const each of paths) writeFileSync(each, `import { afterAll, expect, test } from 'vitest'\n${tests}`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporter = join(root, 'testing/report/vitest.ts')
  const args = ['run', ...paths, '--root', folder, '--retry', '1', `--reporter=${reporter}`]
  const env = { ...process.env, [REPORT_PATH]: path, NODE_OPTIONS: '' }
  const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, env })
  return { status, report: JSON.parse(readFileSync(path, 'utf8')) as TestReport }
}

test('tests are counted, and what failed is named with its message, be it a test or what runs after them', () => {
  const { report: found } = report(`
    let tries = 0
    test('works', () => {})
    test('breaks', () => expect(1).toBe(2))
    test('waits', () => { if (tries++ === 0) throw new Error('too early') })
    test.skip('is left out', () => {})
    afterAll(() => { throw new Error('not empty') })`)
  expect(found.counts).toEqual({ passed: 2, failed: 2, skipped: 1, flaky: 1 })
  expect(found.problems).toEqual([
    expect.stringMatching(/^failed: some\.test\.ts › breaks\n {4}expected 1 to be 2/),
    expect.stringMatching(/^only the second time: some\.test\.ts › waits\n {4}too early/),
    expect.stringMatching(/^failed: some\.test\.ts\n {4}not empty/),
  ])
  expect(found.again).toEqual(['some.test.ts'])
  expect(passedAgain(found)).toEqual({
    counts: { passed: 4, failed: 0, skipped: 1, flaky: 3 },
    problems: [
      expect.stringMatching(/^failed at first: some\.test\.ts › breaks/),
      expect.stringMatching(/^only the second time: some\.test\.ts › waits/),
      expect.stringMatching(/^failed at first: some\.test\.ts\n/),
      'passed when they ran again: some.test.ts',
    ],
    again: [],
  })
})

testFull('what needs a program that is missing is skipped by name, if some are known to be', () => {
  const tests = `
    import { execFileSync } from 'node:child_process'
    import { tool } from '${root}/testing/fixtures/media.ts'
    test('needs one', () => void execFileSync('no-such-judge'))
    test('needs another', () => void tool('no-such-tool'))
    test('has its own', () => void execFileSync('/no/such/program'))`
  vi.stubEnv(JUDGES_MISSING, 'yes')
  const { report: found } = report(tests)
  vi.unstubAllEnvs()
  expect(found.counts).toEqual({ passed: 0, failed: 1, skipped: 2, flaky: 0 })
  expect(found.problems).toEqual([
    'skipped without no-such-judge: some.test.ts › needs one',
    'skipped without no-such-tool: some.test.ts › needs another',
    expect.stringMatching(/^failed: some\.test\.ts › has its own/),
  ])
  if (isFull) expect(report(tests).report.counts).toMatchObject({ failed: 3, skipped: 0 })
})

testFull('an error that nothing caught names the file, which may be run again', () => {
  const { status, report: found } = report(`
    test('works', async () => {
      void Promise.reject(new Error('nobody waits for it'))
      await new Promise(resolve => setTimeout(resolve, 20))
    })`)
  expect(status).toBe(1)
  expect(found.counts).toMatchObject({ passed: 1, failed: 0 })
  expect(found.problems).toEqual([expect.stringContaining('nobody waits for it')])
  expect(found.again).toEqual([expect.stringContaining('some.test.ts')])
})

testFull('files that cannot be loaded count as failed tests, and more than five are not run again', () => {
  const breaks = `throw new Error('no such module')`
  const names = ['1', '2', '3', '4', '5', '6']
  if (isFull) expect(report(breaks, names.slice(1)).report.again).toHaveLength(5)
  const { report: found } = report(breaks, names)
  expect(found.counts).toEqual({ passed: 0, failed: 6, skipped: 0, flaky: 0 })
  expect(found.problems).toEqual(names.map(() => expect.stringContaining('no such module')))
  expect(found.again).toEqual([])
})
