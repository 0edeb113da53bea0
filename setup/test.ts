import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { build } from './build.ts'
import { canInstall, installPackages, missingPackages } from './debian.ts'
import { hasFfmpeg } from './ffmpeg.ts'
import judges from './judges.json' with { type: 'json' }
import { type Counts, playwrightCounts, vitestCounts } from './reports.ts'
import { printInfo, root } from './root.mjs'

/**
 * `npm test`: everything that must hold, from a fresh clone; with `--full`, the sweeps and long runs too. Steps that need no
 * other run at the same time.
 */

if (process.argv.includes('--full')) process.env.REFILE_TESTS = 'full'

interface Step {
  name: string
  /** Does the step, printing through `print` where it is given; resolves to whether it succeeded. */
  run: (print?: (text: string) => void) => boolean | Promise<boolean>
  /** Reads how many tests passed, from the report the step wrote. */
  counts?: () => Counts
}

interface Outcome {
  name: string
  /** What it printed, where it was kept back because other steps ran beside it. */
  output: string
  ok: boolean
  seconds: number
  counts: Counts | null
}

const reports = join(root, 'node_modules', '.cache', 'refile')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')
/** Draws what drawings are compared with, and without windows shows the pages that are tested. */
const browsers = ['chromium', 'chromium-headless-shell']

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
          PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
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

/** Installs the programs that judge outputs; a browser and ffmpeg from elsewhere are as good as Debian's. */
async function installJudges(): Promise<boolean> {
  const wanted = new Set([...judges, ...browsers, 'ffmpeg'])
  for (const browser of browsers)
    if (process.env.REFILE_CHROMIUM || existsSync(`/usr/bin/${browser}`)) wanted.delete(browser)
  if (await hasFfmpeg()) wanted.delete('ffmpeg')
  const missing = missingPackages([...wanted].toSorted())
  if (missing.length === 0) return true
  if (canInstall) return installPackages(missing) && missingPackages(missing).length === 0
  printInfo(
    `The tests need these Debian packages, which are not installed:\n  sudo apt-get install ${missing.join(' ')}`,
  )
  return false
}

/** Steps in order; those of one array run at the same time. */
const stages: Step[][] = [
  [{ name: 'judges', run: installJudges }],
  [
    { name: 'types', run: tool('tsc', '--noEmit') },
    { name: 'biome', run: tool('biome', 'ci', '--error-on-warnings', '.') },
    { name: 'oxlint', run: tool('oxlint', '--type-aware', '--quiet') },
    { name: 'knip', run: tool('knip') },
    { name: 'imports', run: tool('node', 'setup/imports.ts') },
    { name: 'build', run: build },
  ],
  [
    {
      name: 'vitest',
      run: tool(
        'vitest',
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${vitestReport}`,
      ),
      counts: () => vitestCounts(readFileSync(vitestReport, 'utf8')),
    },
  ],
  // On its own: it waits for what a person would see, which a busy machine shows late.
  [
    {
      name: 'playwright',
      run: tool('playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'),
      counts: () => playwrightCounts(readFileSync(playwrightReport, 'utf8')),
    },
  ],
]

const heading = (name: string) => `\n── ${name} ${'─'.repeat(60 - name.length)}\n`

async function runStep(step: Step, alone: boolean): Promise<Outcome> {
  let output = ''
  const print = alone
    ? undefined
    : (text: string) => {
        output += text
      }
  const started = performance.now()
  const ok = await step.run(print)
  const seconds = (performance.now() - started) / 1000
  let counts: Counts | null = null
  try {
    counts = step.counts?.() ?? null
  } catch {
    // It ended before it wrote a report, as its exit code shows.
  }
  return { name: step.name, output, ok, seconds, counts }
}

async function runParallel(stage: readonly Step[]): Promise<Outcome[]> {
  const [first, ...others] = stage
  if (first && others.length === 0) {
    process.stdout.write(heading(first.name))
    return [await runStep(first, true)]
  }
  const taken = await Promise.all(stage.map(step => runStep(step, false)))
  for (const { name, output } of taken) process.stdout.write(`${heading(name)}${output}`)
  return taken
}

function describe({ ok, counts }: Outcome): string {
  if (!counts) return ok ? 'ok' : 'FAILED'
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const flaky = counts.flaky > 0 ? `, ${counts.flaky} only the second time` : ''
  return `${counts.passed} passed, ${counts.failed} failed${skipped}${flaky}${ok ? '' : '  FAILED'}`
}

for (const report of [vitestReport, playwrightReport]) rmSync(report, { force: true })
mkdirSync(reports, { recursive: true })
const outcomes: Outcome[] = []
for (const stage of stages) outcomes.push(...(await runParallel(stage)))

console.log(`\n── summary ${'─'.repeat(53)}`)
for (const outcome of outcomes) {
  const seconds = `${outcome.seconds.toFixed(1)} s`.padStart(8)
  console.log(`${outcome.name.padEnd(12)}${seconds}  ${describe(outcome)}`)
}
// A step that failed without a failed test to show for it counts as one.
const passed = outcomes.reduce((sum, { counts }) => sum + (counts?.passed ?? 0), 0)
const failed = outcomes.reduce((sum, { ok, counts }) => sum + (counts?.failed || (ok ? 0 : 1)), 0)
process.exitCode = failed === 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)
