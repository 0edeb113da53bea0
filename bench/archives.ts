/**
 * Archives: 500 MB of programs, text and packed files, converted in a worker of the build and by libarchive's `bsdtar`. `node
 * bench/archives.ts zip-to-tar …` measures only those jobs. Each conversion alternates with its counterpart several times, and
 * the quickest run of each counts. If other programs keep the machine busy, processor time is more reliable than wall time.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { convertInWorker, type WorkerCost } from './built-worker.ts'
import { type Cost, isForReport, processorSeconds, report } from './harness.ts'

const CONTENT_BYTES = 400_000_000
const NOISE_FILES = 20
const NOISE_BYTES = 5_000_000
const CORES = 2
const ROUNDS = isForReport ? 1 : 3
const MAX_TIME_RATIO = 1.2
const MAX_MEGABYTES = 200

/** Those in the report, which takes one of each way of reading and of writing. */
const REPORTED = ['zip-to-tar', 'tar-gz-to-zip', '7z-to-iso']

/** Conversions and the `bsdtar` options that do the same. */
const pairs: [job: string, source: string, options: string[]][] = [
  ['zip-to-tar', 'a.zip', ['--format=pax', '-cf']],
  ['zip-to-tar-gz', 'a.zip', ['--format=pax', '-czf']],
  ['zip-to-tar-bz2', 'a.zip', ['--format=pax', '-cjf']],
  ['zip-to-iso', 'a.zip', ['--format=iso9660', '-cf']],
  ['tar-to-zip', 'a.tar', ['--format=zip', '-cf']],
  ['tar-to-iso', 'a.tar', ['--format=iso9660', '-cf']],
  ['tar-gz-to-zip', 'a.tar.gz', ['--format=zip', '-cf']],
  ['tar-bz2-to-zip', 'a.tar.bz2', ['--format=zip', '-cf']],
  ['7z-to-tar', 'a.7z', ['--format=pax', '-cf']],
  ['7z-to-zip', 'a.7z', ['--format=zip', '-cf']],
  ['7z-to-iso', 'a.7z', ['--format=iso9660', '-cf']],
]

const packers: Record<string, string[]> = {
  'a.7z': ['7z', 'a', '-mx=3'],
  'a.zip': ['zip', '-qr'],
  'a.tar': ['tar', '-cf'],
  'a.tar.gz': ['tar', '-czf'],
  'a.tar.bz2': ['tar', '-cjf'],
}

const named = process.argv.slice(2)
const chosen = named.length === 0 && isForReport ? REPORTED : named
const folder = mkdtempSync(join(tmpdir(), 'refile-bench-archives-'))
try {
  const wanted = pairs.filter(([name]) => chosen.length === 0 || chosen.includes(name))
  makeSources(folder, new Set(wanted.map(([, source]) => source)))
  for (const [name, source, options] of wanted) {
    const path = join(folder, source)
    const ours: WorkerCost[] = []
    const theirs: Cost[] = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await convertInWorker(`archive.${name}`, path, CORES))
      theirs.push(costOf(() => libarchive(path, options)))
    }
    const least = (costs: readonly Cost[], kind: keyof Cost) => Math.min(...costs.map(cost => cost[kind]))
    for (const [what, kind] of [
      ['time', 'wall'],
      ['time of processors', 'cpu'],
    ] as const) {
      const [own, other] = [least(ours, kind), least(theirs, kind)]
      const ratio = own / other
      const subject = `${name}: ${what} / bsdtar (${own.toFixed(1)} / ${other.toFixed(1)} s)`
      report(
        subject,
        ratio.toFixed(2),
        `≤ ${MAX_TIME_RATIO}`,
        ratio <= MAX_TIME_RATIO,
        'every entry is checked in JavaScript',
      )
    }
    const own = Math.max(...ours.map(({ worker }) => worker))
    const together = Math.max(...ours.map(cost => cost.together))
    const figure = `${own.toFixed(0)} (${together.toFixed(0)}) MB`
    report(
      `${name}: memory of the worker (and its programs)`,
      figure,
      `≤ ${MAX_MEGABYTES} MB`,
      own <= MAX_MEGABYTES,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** The cost of work done by child processes, all of which are waited for. */
function costOf(work: () => void): Cost {
  const [started, used] = [performance.now(), processorSeconds(process.pid)]
  work()
  return { wall: (performance.now() - started) / 1000, cpu: processorSeconds(process.pid) - used }
}

/**
 * The same conversion with `bsdtar`. It refuses to write an image because of a name, and cannot read what 7-Zip packs with a
 * filter for ARM64: then `genisoimage` writes, and `7z` unpacks.
 */
function libarchive(path: string, options: readonly string[]): void {
  const [output, tree] = [join(folder, 'theirs'), join(folder, 'tree')]
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' }, stdio: 'ignore' })
  const isImage = options.includes('--format=iso9660')
  try {
    if (!isImage && !path.endsWith('.7z')) {
      run('bsdtar', ...options, output, `@${path}`)
      return
    }
    mkdirSync(tree)
    if (path.endsWith('.7z')) run('7z', 'x', `-o${tree}`, path)
    else run('bsdtar', '-xf', path, '-C', tree)
    if (isImage) run('genisoimage', '-quiet', '-J', '-joliet-long', '-R', '-o', output, tree)
    else run('bsdtar', ...options, output, '-C', tree, '.')
  } finally {
    rmSync(output, { force: true })
    rmSync(tree, { recursive: true, force: true })
  }
}

/** Packs files of the installed packages and incompressible files into the wanted archives. */
function makeSources(folder: string, wanted: ReadonlySet<string>): void {
  const tree = join(folder, 'tree')
  const packages = join(import.meta.dirname, '..', 'node_modules')
  let bytes = 0
  for (const name of globSync('**/*', { cwd: packages })) {
    const path = join(packages, name)
    const { size, isFile } = statOf(path)
    if (!isFile || size > CONTENT_BYTES / 8) continue
    mkdirSync(dirname(join(tree, name)), { recursive: true })
    cpSync(path, join(tree, name))
    bytes += size
    if (bytes > CONTENT_BYTES) break
  }
  for (let index = 0; index < NOISE_FILES; index++) {
    writeFileSync(join(tree, `packed-${index}.jpg`), randomBytes(NOISE_BYTES))
  }
  for (const name of wanted) {
    const [program = '', ...args] = packers[name] ?? []
    execFileSync(program, [...args, join(folder, name), '.'], { cwd: tree, stdio: 'ignore' })
  }
  rmSync(tree, { recursive: true })
}

function statOf(path: string): { size: number; isFile: boolean } {
  const stats = statSync(path, { throwIfNoEntry: false })
  return { size: stats?.size ?? 0, isFile: stats?.isFile() ?? false }
}
