/** Files that tests make with other programs, kept between test files and runs: the same arguments make the same file. */
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'

/** Outlives the temporary folders of test files, of which it is none. */
const folder = process.env.REFILE_TEST_CACHE || join(tmpdir(), 'refile-made')

/** Larger files are made anew, so that the folder stays small. */
const LIMIT_BYTES = 64 * 2 ** 20

const versions = new Map<string, string>()

/** What a program says of its version; another version may make another file. */
function versionOf(program: string): string {
  let version = versions.get(program)
  if (version === undefined) {
    version = execFileSync('sh', ['-c', `"$0" -version 2>&1 || true`, program], { encoding: 'latin1' })
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

/**
 * Puts a file at `path`, made by `make` unless the same program made it of the same arguments before. Arguments that are
 * files stand for their content; when any other names a temporary file, nothing is kept.
 */
export function made(path: string, program: string, args: readonly string[], make: () => void): string {
  const named = args.map(arg =>
    isFile(arg) ? createHash('sha1').update(readFileSync(arg)).digest('hex') : arg,
  )
  if (named.some(arg => arg.includes(tmpdir()))) {
    make()
    return path
  }
  const key = createHash('sha1')
    .update(JSON.stringify([versionOf(program), program, named]))
    .digest('hex')
  const kept = join(folder, `${key}${extname(path)}`)
  if (!existsSync(kept)) {
    make()
    mkdirSync(folder, { recursive: true })
    if (statSync(path).size > LIMIT_BYTES) return path
    // Another test file may be making the same one.
    const partial = `${kept}.${randomUUID()}`
    copyFileSync(path, partial, constants.COPYFILE_FICLONE)
    renameSync(partial, kept)
  }
  copyFileSync(kept, path, constants.COPYFILE_FICLONE)
  return path
}
