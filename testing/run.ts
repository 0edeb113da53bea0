import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { build } from '../setup/build.ts'
import { canInstall, installPackages, missingPackages } from '../setup/debian.ts'
import { hasFfmpeg } from '../setup/ffmpeg.ts'
import { printInfo, root } from '../setup/root.mjs'
import judges from './judges.json' with { type: 'json' }
import { passedAgain, playwrightReport, type TestReport } from './report/counts.ts'
import { JUDGES_MISSING, REPORT_PATH } from './report/vitest.ts'

/**
 * `npm test`: everything that must hold, from a fresh clone; with `--full`, the sweeps and long runs too. Steps that need no
 * other run at the same time.
 */

const isFull = process.argv.includes('--full')
if (isFull) process.env.REFILE_TESTS = 'full'

interface Step {
  name: string
  /** Does the step, printing through `print` where it is given; resolves to whether it succeeded. */
  run: (print?: (text: string) => void) => boolean | Promise<boolean>
  /** Reads the report that the step wrote. */
  report?: () => TestReport
}

interface Outcome {
  name: string
  ok: boolean
  seconds: number
  report: TestReport | null
}

const reports = join(root, 'node_modules', '.cache', 'refile')
const vitestPath = join(reports, 'vitest.json')
const playwrightPath = join(reports, 'playwright.json')
/** Renders the SVG that ours is compared with, and without windows shows the pages that are tested. */
const browsers = ['chromium', 'chromium-headless-shell']

/**
 * Debian's ffmpeg needs a library of linear algebra that it never calls here. With OpenBLAS, where that is installed, each of its thousand
 * starts takes a third longer than with the plain one, which Debian always has, too.
 */
const plainAlgebra = ['blas', 'lapack'].map(name => `/usr/lib/x86_64-linux-gnu/${name}`)

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(130)
  })
}

/** Runs a program of node_modules/.bin; what it prints goes to `print`, or straight to the terminal without it. */
const tool =
  (command: string, ...args: string[]): Step['run'] =>
  print =>
    new Promise<boolean>(resolve => {
      const child = spawn(command, args, {
        cwd: root,
        stdio: ['ignore', print ? 'pipe' : 'inherit', print ? 'pipe' : 'inherit'],
        shell: process.platform === 'win32',
        env: {
          ...process.env,
          PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
          [REPORT_PATH]: vitestPath,
          PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightPath,
          // Two checks are programs in Go, which spend a fifth of their time on collecting garbage.
          GOGC: '400',
          // With large pages there are fewer page faults, which cost a tenth of all processor time in a virtual machine.
          GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
          LD_LIBRARY_PATH: [...plainAlgebra, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
          ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
        },
      })
      running.add(child)
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => print?.(text))
      }
      child
        .once('error', error => {
          printInfo(error.message)
          resolve(false)
        })
        .once('close', code => {
          running.delete(child)
          resolve(code === 0)
        })
    })

const vitest = (...files: string[]) =>
  tool('vitest', 'run', '--reporter=default', '--reporter=./testing/report/vitest.ts', ...files)
const readVitestReport = () => JSON.parse(readFileSync(vitestPath, 'utf8')) as TestReport

/**
 * Runs the tests. In the full suite what failed runs once more, alone and in new processes, and is listed as flaky if it passes then.
 */
async function runVitest(): Promise<boolean> {
  if (await vitest()()) return true
  // Without a report it ended early, which is no reason for a second try.
  if (!existsSync(vitestPath)) return false
  const first = readVitestReport()
  // What fails for want of a program is skipped, and listed at the end.
  if (!first.problems.some(problem => problem.startsWith('failed'))) return true
  if (!isFull || first.again.length === 0) return false
  const passed = await vitest(...first.again)()
  writeFileSync(vitestPath, JSON.stringify(passed ? passedAgain(first) : first))
  return passed
}

/**
 * Installs the programs that judge outputs; a browser and ffmpeg from elsewhere are as good as Debian's. Where they are not wanted, or
 * have other packages, tests that need one which is missing are skipped; not in CI.
 */
async function installJudges(): Promise<boolean> {
  const wanted = new Set([...judges, ...browsers, 'ffmpeg'])
  for (const browser of browsers)
    if (process.env.REFILE_CHROMIUM || existsSync(`/usr/bin/${browser}`)) wanted.delete(browser)
  if (await hasFfmpeg()) wanted.delete('ffmpeg')
  const missing = missingPackages([...wanted].toSorted())
  if (missing.length === 0) return true
  if (canInstall && (process.env.CI || process.argv.includes('--yes') || (await mayInstall(missing))))
    return installPackages(missing) && missingPackages(missing).length === 0
  printInfo(
    `Tests that need one of these Debian packages are skipped where it is missing (\`npm test -- --yes\` as root installs them):\n  sudo apt-get install ${missing.join(' ')}`,
  )
  process.env[JUDGES_MISSING] = 'yes'
  return !process.env.CI
}

/** Asks the person at the terminal; nobody there means no. */
async function mayInstall(packages: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`Install from Debian: ${packages.join(' ')}? [y/N] `)
  terminal.close()
  return /^y/i.test(answer)
}

/** Steps in order; those of one array run at the same time. */
const stages: Step[][] = [
  [{ name: 'judges', run: installJudges }],
  [
    // Others keep the other cores busy, and each further checker looks at many types again.
    { name: 'types', run: tool('tsc', '--noEmit', '--checkers', '1') },
    { name: 'biome', run: tool('biome', 'ci', '--error-on-warnings', '.') },
    { name: 'oxlint', run: tool('oxlint', '--type-aware', '--quiet') },
    { name: 'knip', run: tool('knip') },
    { name: 'imports', run: tool('node', 'setup/imports.ts') },
    { name: 'build', run: build },
  ],
  // One after the other: both keep all cores busy, and browser tests wait for what a person would see, which a busy machine shows late.
  [{ name: 'vitest', run: runVitest, report: readVitestReport }],
  [
    {
      name: 'playwright',
      run: print => {
        if (process.env.REFILE_CHROMIUM || existsSync('/usr/bin/chromium-headless-shell'))
          return tool('playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json')(print)
        printInfo('Browser tests are skipped without /usr/bin/chromium-headless-shell or REFILE_CHROMIUM.')
        return !process.env.CI
      },
      report: () => playwrightReport(readFileSync(playwrightPath, 'utf8')),
    },
  ],
]

const heading = (name: string) => `\n── ${name} ${'─'.repeat(60 - name.length)}\n`

async function runStep(step: Step, print?: (text: string) => void): Promise<Outcome> {
  const started = performance.now()
  const ok = await step.run(print)
  const seconds = (performance.now() - started) / 1000
  let report: TestReport | null = null
  try {
    report = step.report?.() ?? null
  } catch {
    // It ended before it wrote a report, as its exit code shows.
  }
  return { name: step.name, ok, seconds, report }
}

/** Runs steps at the same time. What the first prints is seen at once, what another does when those before it have ended. */
async function runStage(stage: readonly Step[]): Promise<Outcome[]> {
  const held = stage.map(({ name }) => heading(name))
  const ended = new Set<number>()
  let turn = 0
  const show = (index: number, text: string) => {
    if (index === turn) process.stdout.write(text)
    else held[index] += text
  }
  process.stdout.write(held[0]!)
  return Promise.all(
    stage.map(async (step, index) => {
      const outcome = await runStep(step, index === 0 ? undefined : text => show(index, text))
      ended.add(index)
      while (ended.has(turn)) process.stdout.write(held[++turn] ?? '')
      return outcome
    }),
  )
}

function describe({ ok, report }: Outcome): string {
  if (!report) return ok ? 'ok' : 'FAILED'
  const { counts } = report
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const flaky = counts.flaky > 0 ? `, ${counts.flaky} only the second time` : ''
  return `${counts.passed} passed, ${counts.failed} failed${skipped}${flaky}${ok ? '' : '  FAILED'}`
}

for (const report of [vitestPath, playwrightPath]) rmSync(report, { force: true })
mkdirSync(reports, { recursive: true })
const outcomes: Outcome[] = []
for (const stage of stages) outcomes.push(...(await runStage(stage)))

console.log(`\n── summary ${'─'.repeat(53)}`)
for (const outcome of outcomes) {
  const seconds = `${outcome.seconds.toFixed(1)} s`.padStart(8)
  console.log(`${outcome.name.padEnd(12)}${seconds}  ${describe(outcome)}`)
}
for (const { report } of outcomes) for (const problem of report?.problems ?? []) console.log(problem)
// A step that failed without a failed test to show for it counts as one.
const passed = outcomes.reduce((sum, { report }) => sum + (report?.counts.passed ?? 0), 0)
const failed = outcomes.reduce((sum, { ok, report }) => sum + (report?.counts.failed || (ok ? 0 : 1)), 0)
process.exitCode = failed === 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)
