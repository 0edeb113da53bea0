/**
 * `npm run bench [name…] [-- --report]`: runs the benchmarks named, or all of them, one after another; with `--report` it writes what
 * they reported into docs/performance.md, and some of it into the README.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RESULTS } from './harness.ts'
import { writeReport } from './report.ts'

/** Longest that one benchmark may take for the report, which has what it measured until then. */
const REPORT_MS = 420_000
const helpers = new Set(['main', 'harness', 'pictures', 'report', 'warm-worker'])
const all = readdirSync(import.meta.dirname)
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map(name => name.slice(0, -'.ts'.length))
  .filter(name => !helpers.has(name))

const isReport = process.argv.includes('--report')
const named = process.argv.slice(2).filter(name => name !== '--report')
const unknown = named.find(name => !all.includes(name))
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}". There are: ${all.join(', ')}.`)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'refile-bench-report-'))
const ran = named.length > 0 ? named : all
for (const name of ran) {
  console.log(`\n${name}`)
  // A group of its own, so that what it started ends with it.
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
    detached: isReport,
    env: { ...process.env, ...(isReport && { [RESULTS]: join(folder, name) }) },
  })
  const limit = isReport && setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGTERM'), REPORT_MS)
  const [status] = await once(child, 'exit')
  if (limit) clearTimeout(limit)
  if (status !== 0) process.exitCode = 1
}
if (isReport) writeReport(folder, ran)
rmSync(folder, { recursive: true })
