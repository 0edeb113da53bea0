import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { build } from './build.ts'
import { canInstall, installPackages, missingPackages } from './debian.ts'
import { hasFfmpeg } from './ffmpeg.ts'
import judges from './judges.json' with { type: 'json' }
import { type Counts, playwrightCounts, vitestCounts } from './reports.ts'
import { root, say } from './root.mjs'

/** `npm test`: everything that must hold, one step after another, from a fresh clone. */

interface Step {
  name: string
  /** Does the step; resolves to whether it succeeded. */
  run: () => boolean | Promise<boolean>
  /** Reads how many tests passed, from the report the step wrote. */
  counts?: () => Counts
}

interface Outcome {
  name: string
  ok: boolean
  seconds: number
  counts: Counts | null
}

const reports = join(root, 'node_modules', '.cache', 'refile')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')
const chromium = process.env.REFILE_CHROMIUM || '/usr/bin/chromium'

let current: ReturnType<typeof spawn> | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    current?.kill(signal)
    process.exit(130)
  })
}

/** A program of node_modules/.bin with its output on ours. */
const tool =
  (command: string, ...args: string[]) =>
  () =>
    new Promise<boolean>(resolve => {
      current = spawn(command, args, {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: process.platform === 'win32',
        env: {
          ...process.env,
          PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
          REFILE_CHROMIUM: chromium,
          PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
          ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
        },
      })
        .once('error', error => {
          say(error.message)
          resolve(false)
        })
        .once('exit', code => resolve(code === 0))
    })

/** Installs the programs that judge outputs; a browser and ffmpeg from elsewhere are as good as Debian's. */
async function installJudges(): Promise<boolean> {
  const wanted = new Set([...judges, 'chromium', 'ffmpeg'])
  if (existsSync(chromium)) wanted.delete('chromium')
  if (await hasFfmpeg()) wanted.delete('ffmpeg')
  const missing = missingPackages([...wanted].toSorted())
  if (missing.length === 0) return true
  if (canInstall) return installPackages(missing) && missingPackages(missing).length === 0
  say(
    `The tests need these Debian packages, which are not installed:\n  sudo apt-get install ${missing.join(' ')}`,
  )
  return false
}

const steps: Step[] = [
  { name: 'judges', run: installJudges },
  { name: 'types', run: tool('tsc', '--noEmit') },
  { name: 'biome', run: tool('biome', 'ci', '--error-on-warnings', '.') },
  { name: 'oxlint', run: tool('oxlint', '--type-aware', '--quiet') },
  { name: 'knip', run: tool('knip') },
  { name: 'build', run: build },
  {
    name: 'vitest',
    run: tool('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`),
    counts: () => vitestCounts(readFileSync(vitestReport, 'utf8')),
  },
  {
    name: 'playwright',
    run: tool('playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'),
    counts: () => playwrightCounts(readFileSync(playwrightReport, 'utf8')),
  },
]

async function take(step: Step): Promise<Outcome> {
  console.log(`\n── ${step.name} ${'─'.repeat(60 - step.name.length)}`)
  const started = performance.now()
  const ok = await step.run()
  const seconds = (performance.now() - started) / 1000
  let counts: Counts | null = null
  try {
    counts = step.counts?.() ?? null
  } catch {
    // It ended before it wrote a report, which its exit code has told.
  }
  return { name: step.name, ok, seconds, counts }
}

function describe({ ok, counts }: Outcome): string {
  if (!counts) return ok ? 'ok' : 'FAILED'
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  return `${counts.passed} passed, ${counts.failed} failed${skipped}${ok ? '' : '  FAILED'}`
}

for (const report of [vitestReport, playwrightReport]) rmSync(report, { force: true })
mkdirSync(reports, { recursive: true })
const outcomes: Outcome[] = []
for (const step of steps) outcomes.push(await take(step))

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
