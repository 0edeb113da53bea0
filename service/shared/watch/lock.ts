import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Another process watches by the same rule. */
export class AlreadyWatched extends Error {
  override readonly name: string = 'AlreadyWatched'
}

/** Keeps a second watcher of the same rule away, in whichever process. @throws AlreadyWatched if there is one */
export async function lock(path: string): Promise<AsyncDisposable> {
  const owner = Number(await readFile(path, 'utf8').catch(() => ''))
  if (owner > 0 && owner !== process.pid && isRunning(owner))
    throw new AlreadyWatched(`This folder is already watched so, by process ${owner}.`)
  await rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 })
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
