import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { Rule } from './rule.ts'

/** Another process watches by the same rule. */
export class AlreadyWatched extends Error {
  override readonly name: string = 'AlreadyWatched'
}

/** A lock: the process that watches, and by which rule. Its file is touched for as long as it does. */
interface Lock {
  pid: number
  rule: Rule
}

const SUFFIX = '.lock'
const TOUCH_MS = 5_000
/** A lock that nobody touched for so long is that of another process that happens to have the number of a killed one. */
const STALE_MS = 60_000
/** A watcher that was killed is expected back for so long. */
const EXPECTED_MS = 10 * 60_000

/** Keeps a second watcher of the same rule away, in whichever process. @throws AlreadyWatched if there is one */
export async function lock(path: string, rule: Rule): Promise<AsyncDisposable> {
  const { pid } = (await read(path)) ?? { pid: 0 }
  if (pid !== 0 && pid !== process.pid && isRunning(pid) && (await ageOf(path)) < STALE_MS) throw taken(pid)
  await rm(path, { force: true })
  await makeFolder(dirname(path), 0o700)
  // Nobody may find it empty.
  const whole = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(whole, JSON.stringify({ pid: process.pid, rule } satisfies Lock), { mode: 0o600 })
  try {
    await link(whole, path)
  } catch (error) {
    const other = await read(path)
    throw other ? taken(other.pid) : error
  } finally {
    await rm(whole)
  }
  const timer = setInterval(() => void touch(path), TOUCH_MS).unref()
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await rm(path, { force: true })
    },
  }
}

/** The rules by which a process watches, or was killed a moment ago, by their ids. */
export async function lockedRules(folder: string): Promise<Map<string, Rule>> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith(SUFFIX))
  const found = new Map<string, Rule>()
  for (const name of names) {
    const path = join(folder, name)
    const lock = (await ageOf(path)) < EXPECTED_MS ? await read(path) : undefined
    if (lock) found.set(basename(name, SUFFIX), lock.rule)
  }
  return found
}

const taken = (pid: number) => new AlreadyWatched(`This folder is already watched so, by process ${pid}.`)

async function read(path: string): Promise<Lock | undefined> {
  try {
    const lock = JSON.parse(await readFile(path, 'utf8')) as Lock | number
    // An earlier version wrote the number of its process alone.
    return typeof lock === 'number' ? undefined : lock
  } catch {
    return undefined
  }
}

/** Milliseconds since it was last touched. */
const ageOf = async (path: string) => Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0)

const touch = (path: string) => utimes(path, new Date(), new Date()).catch(() => {})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
