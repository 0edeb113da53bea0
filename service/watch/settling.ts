import { open, readdir, readFile, readlink } from 'node:fs/promises'

/** The clocks: one that never jumps, and that of the files' times; both in milliseconds. */
export interface Clock {
  now(): number
  date(): number
}

export const systemClock: Clock = { now: () => performance.now(), date: () => Date.now() }

/** Those of the files that another process has open for writing, as far as the system says so. */
export async function writtenNow(paths: readonly string[]): Promise<Set<string>> {
  const written = new Set<string>()
  if (process.platform === 'win32') {
    for (const path of paths) if (await isHeld(path)) written.add(path)
    return written
  }
  const wanted = new Set(paths)
  // Elsewhere than on Linux there is no such folder; and each user sees the files of their own processes.
  for (const pid of (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))) {
    for (const number of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const path = await readlink(`/proc/${pid}/fd/${number}`).catch(() => '')
      if (!wanted.has(path)) continue
      const info = await readFile(`/proc/${pid}/fdinfo/${number}`, 'utf8').catch(() => '')
      // The last octal digit of the flags has the mode of access: 0 is for reading alone.
      if (/^flags:\s*\d*[1-35-7]$/m.test(info)) written.add(path)
    }
  }
  return written
}

/** Whether Windows refuses to let us write to a file as somebody else has it open. */
const isHeld = (path: string): Promise<boolean> =>
  open(path, 'r+').then(
    async file => file.close().then(() => false),
    ({ code }: NodeJS.ErrnoException) => code === 'EBUSY',
  )
