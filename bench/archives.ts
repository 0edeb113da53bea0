/** Archives: 500 MB of programs, text and packed files, against libarchive's `bsdtar` on the same conversion. */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { convertFile } from '../service/test/convert.ts'
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
]

if (process.argv[2] === 'convert') {
  const started = performance.now()
  const { folder } = await convertFile(`archive.${process.argv[3]}`, process.argv[4]!, {}, { cores: CORES })
  process.stdout.write(String(performance.now() - started))
  rmSync(folder, { recursive: true })
} else await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'refile-bench-archives-'))
  try {
    makeSources(folder)
    for (const [job, source, options] of pairs) {
      const path = join(folder, source)
      const output = join(folder, 'theirs')
      const started = performance.now()
      execFileSync('bsdtar', [...options, output, `@${path}`], { stdio: 'ignore' })
      const theirs = performance.now() - started
      rmSync(output)
      const { milliseconds, megabytes } = await ours(job, path)
      const ratio = milliseconds / theirs
      report(`${job}: time / bsdtar`, ratio.toFixed(2), '≤ 1.2', ratio <= 1.2)
      report(`${job}: memory of all processes`, `${Math.round(megabytes)} MB`, '≤ 200 MB', megabytes <= 200)
    }
  } finally {
    rmSync(folder, { recursive: true })
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
  const child = spawn(process.execPath, [import.meta.filename, 'convert', job, path], {
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
