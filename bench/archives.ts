/** Archives: 500 MB of programs, text and packed files, against libarchive's `bsdtar` on the same conversion. */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { convert } from '../service/converters/archives/work.ts'
import { WORKER_HEAP_MEGABYTES, workerProcess } from '../service/process-settings.ts'
import { report, residentMegabytes } from './harness.ts'

const CONTENT_BYTES = 400_000_000
const NOISE_FILES = 20
const NOISE_BYTES = 5_000_000
const SAMPLE_MS = 50
const CORES = 2

/** Conversions and what `bsdtar` is asked for instead. */
const pairs: [job: string, source: string, options: string[]][] = [
  ['7z-to-tar', 'a.7z', ['--format=pax', '-cf']],
  ['7z-to-zip', 'a.7z', ['--format=zip', '-cf']],
  ['tar-to-zip', 'a.tar', ['--format=zip', '-cf']],
  ['tar-gz-to-zip', 'a.tar.gz', ['--format=zip', '-cf']],
  ['tar-bz2-to-zip', 'a.tar.bz2', ['--format=zip', '-cf']],
  ['zip-to-tar', 'a.zip', ['--format=pax', '-cf']],
  ['zip-to-tar-gz', 'a.zip', ['--format=pax', '-czf']],
  ['zip-to-tar-bz2', 'a.zip', ['--format=pax', '-cjf']],
  ['7z-to-iso', 'a.7z', ['--format=iso9660', '-cf']],
  ['tar-to-iso', 'a.tar', ['--format=iso9660', '-cf']],
  ['zip-to-iso', 'a.zip', ['--format=iso9660', '-cf']],
]

if (process.argv[2] === 'convert') {
  const [job = '', path = ''] = process.argv.slice(3)
  process.stdout.write(String(await timed(job, path)))
} else await main()

/** Milliseconds of a conversion in this process. */
async function timed(job: string, path: string): Promise<number> {
  const [source = '', target = ''] = job.split('-to-')
  const folder = mkdtempSync(join(tmpdir(), 'refile-bench-archives-'))
  const { size: bytes } = statSync(path)
  const input = { path, name: basename(path), stem: 'a', bytes, format: source }
  const started = performance.now()
  try {
    await convert({
      ...{ input, source, target, folder, cores: CORES },
      options: { deterministic: false },
      progress: () => {},
      warn: () => {},
      consumed: () => {},
    })
    return performance.now() - started
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'refile-bench-archives-'))
  try {
    makeSources(folder)
    for (const [job, source, options] of pairs) {
      const path = join(folder, source)
      const theirs = libarchive(path, join(folder, 'theirs'), options)
      const { milliseconds, megabytes } = await ours(job, path)
      const ratio = milliseconds / (theirs ?? Number.NaN)
      const seconds = `${(milliseconds / 1000).toFixed(1)} s`
      // Images that libarchive does not write, because of a name, have nothing to be compared with.
      if (theirs === undefined) report(`${job}: time, bsdtar fails`, seconds, 'none', true)
      else report(`${job}: time / bsdtar (${seconds})`, ratio.toFixed(2), '≤ 1.2', ratio <= 1.2)
      report(`${job}: memory of all processes`, `${Math.round(megabytes)} MB`, '≤ 200 MB', megabytes <= 200)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Milliseconds of the same conversion by `bsdtar`; undefined where it fails. */
function libarchive(path: string, output: string, options: readonly string[]): number | undefined {
  const started = performance.now()
  try {
    execFileSync('bsdtar', [...options, output, `@${path}`], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      stdio: 'ignore',
    })
    return performance.now() - started
  } catch {
    return undefined
  } finally {
    rmSync(output, { force: true })
  }
}

/** Files of the installed packages and such that do not pack, as an archive of each format. */
function makeSources(folder: string): void {
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
  const pack = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: tree, stdio: 'ignore' })
  pack('7z', 'a', '-mx=3', join(folder, 'a.7z'), '.')
  pack('zip', '-qr', join(folder, 'a.zip'), '.')
  pack('tar', '-cf', join(folder, 'a.tar'), '.')
  pack('tar', '-czf', join(folder, 'a.tar.gz'), '.')
  pack('tar', '-cjf', join(folder, 'a.tar.bz2'), '.')
  rmSync(tree, { recursive: true })
}

function statOf(path: string): { size: number; isFile: boolean } {
  const stats = statSync(path, { throwIfNoEntry: false })
  return { size: stats?.size ?? 0, isFile: stats?.isFile() ?? false }
}

/** A conversion in a process of its own, as a worker does it, and the most its processes take together. */
async function ours(job: string, path: string): Promise<{ milliseconds: number; megabytes: number }> {
  const heap = `--max-old-space-size=${WORKER_HEAP_MEGABYTES}`
  const child = spawn(process.execPath, [heap, import.meta.filename, 'convert', job, path], {
    env: { ...process.env, ...workerProcess.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let megabytes = 0
  const timer = setInterval(() => {
    try {
      megabytes = Math.max(megabytes, residentMegabytes(child.pid ?? 0))
    } catch {
      // A process ended while it was looked at.
    }
  }, SAMPLE_MS)
  let printed = ''
  for await (const chunk of child.stdout) printed += chunk
  clearInterval(timer)
  if (printed === '') throw new Error(`${job} failed`)
  return { milliseconds: Number(printed), megabytes }
}
