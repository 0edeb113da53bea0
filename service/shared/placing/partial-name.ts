import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { giveName } from './naming.ts'

/** Partial files of this process begin so: after a crash it shows whose they were. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const life = randomBytes(4).toString('hex')
const named = /^\.refile-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}\.(part|aside)$/
/** After so long a partial file is nobody's any more, on whichever machine it was made. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000

/** Folders that were swept since this process began. */
const swept = new Set<string>()

/**
 * A path in a folder for what is not finished yet: nobody can guess it, and the name that it will get may be of any length. What crashed
 * processes left in the folder is swept.
 */
export async function partialPath(folder: string, kind: 'part' | 'aside' = 'part'): Promise<string> {
  if (!swept.has(folder)) await sweep(folder)
  const own = `${machine}-${process.pid}-${life}-${randomBytes(8).toString('hex')}`
  return join(folder, `.refile-${own}.${kind}`)
}

/**
 * Puts a file into a folder beside it, where nobody else writes to it, until it is removed or put back.
 * @param move how it comes there; by default it is renamed
 * @returns its path there
 */
export async function setAside(path: string, move = rename): Promise<string> {
  const aside = join(await partialPath(dirname(path), 'aside'), basename(path))
  await mkdir(dirname(aside))
  try {
    await move(path, aside)
    return aside
  } catch (error) {
    await rmdir(dirname(aside)).catch(() => {})
    throw error
  }
}

/** Gives what was set aside its name again, or a numbered one if that was taken meanwhile. @param folder of the path from `setAside` */
export async function putBack(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    await giveName(join(folder, name), dirname(folder), { name, taken: 'number' })
  await rmdir(folder)
}

/** Removes what crashed processes left unfinished in a folder, and puts back what they set aside. */
export async function sweep(folder: string): Promise<void> {
  swept.add(folder)
  for (const name of await readdir(folder).catch(() => [])) {
    const [, host, pid, of, kind] = named.exec(name) ?? []
    if (pid === undefined || of === life) continue
    const path = join(folder, name)
    const isLeft = host === machine && (Number(pid) === process.pid || !isRunning(Number(pid)))
    if (isLeft || Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) > FORGOTTEN_MS)
      await (kind === 'aside' ? putBack(path) : rm(path, { recursive: true, force: true })).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
