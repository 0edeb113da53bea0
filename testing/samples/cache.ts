/**
 * Files that tests generate with other programs, cached between test files and runs: the same arguments give the same
 * file.
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'

/** Outlives the test files' temporary folders, so it is not inside one. */
const folder = process.env.REFILE_TEST_CACHE || join(tmpdir(), 'refile-made')

/** Larger files are not cached, so that the folder stays small. */
const LIMIT_BYTES = 64 * 2 ** 20

const versions = new Map<string, string>()

/** What distinguishes versions of a program, which may generate another file; asking it would start it. */
function versionOf(program: string): string {
  let version = versions.get(program)
  if (version === undefined) {
    const path = execFileSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim()
    const { size, mtimeMs } = statSync(path)
    version = `${size} ${mtimeMs}`
    versions.set(program, version)
  }
  return version
}

const isFile = (path: string) => {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** A file to be generated, and the arguments it depends on. */
export interface Wanted {
  path: string
  args: readonly string[]
}

/**
 * Puts files at their paths, and has `make` generate those that the same program has not already generated from the same arguments.
 * Arguments that are files stand for their content; if any other argument names a temporary file, nothing is cached.
 */
export function madeAll(
  program: string,
  files: readonly Wanted[],
  make: (missing: readonly Wanted[]) => void,
): void {
  const kept = new Map(files.map(file => [file, keptAt(program, file)]))
  const missing = files.filter(file => !existsSync(kept.get(file) ?? ''))
  if (missing.length > 0) make(missing)
  for (const file of missing) keep(file.path, kept.get(file))
  for (const file of files)
    if (!missing.includes(file)) copyFileSync(kept.get(file)!, file.path, constants.COPYFILE_FICLONE)
}

/** The same for one file; returns its path. */
export function made(path: string, program: string, args: readonly string[], make: () => void): string {
  madeAll(program, [{ path, args }], make)
  return path
}

/** Where a file is kept between tests, if its arguments describe it. */
function keptAt(program: string, { path, args }: Wanted): string | undefined {
  const named = args.map(arg =>
    isFile(arg) ? createHash('sha1').update(readFileSync(arg)).digest('hex') : arg,
  )
  if (named.some(arg => arg.includes(tmpdir()))) return undefined
  const described = JSON.stringify([versionOf(program), program, named])
  return join(folder, `${createHash('sha1').update(described).digest('hex')}${extname(path)}`)
}

function keep(path: string, kept: string | undefined): void {
  if (kept === undefined || statSync(path).size > LIMIT_BYTES) return
  mkdirSync(folder, { recursive: true })
  // Another test file may be generating the same one.
  const partial = `${kept}.${randomUUID()}`
  copyFileSync(path, partial, constants.COPYFILE_FICLONE)
  renameSync(partial, kept)
}
