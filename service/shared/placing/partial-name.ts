import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Partial files of this process begin so: after a crash it shows whose they were. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const life = randomBytes(4).toString('hex')
const named = /^\.refile-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}\.part$/
/** After so long a partial file is nobody's any more, on whichever machine it was made. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000

const swept = new Set<string>()

/**
 * A path in a folder for what is not finished yet: nobody can guess it, and the name that it will get may be of any length. What crashed
 * processes left in the folder is removed.
 */
export async function partialPath(folder: string): Promise<string> {
  await sweep(folder)
  return join(folder, `.refile-${machine}-${process.pid}-${life}-${randomBytes(8).toString('hex')}.part`)
}

/** Removes what crashed processes left unfinished in a folder, once for each folder. */
async function sweep(folder: string): Promise<void> {
  if (swept.has(folder)) return
  swept.add(folder)
  for (const name of await readdir(folder).catch(() => [])) {
    const [, host, pid, of] = named.exec(name) ?? []
    if (pid === undefined || of === life) continue
    const path = join(folder, name)
    const isLeft = host === machine && (Number(pid) === process.pid || !isRunning(Number(pid)))
    if (isLeft || Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) > FORGOTTEN_MS)
      await rm(path, { recursive: true, force: true }).catch(() => {})
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
