import { readdir, readFile } from 'node:fs/promises'

const PAGE = 4096

/**
 * Resident memory in bytes of a process and all it started, read from /proc. Shared pages count in each process,
 * so the figure errs on the high side. Undefined where there is no /proc: there only V8's own limit holds.
 */
export async function familyMemory(leader: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  let total = 0
  for (const pid of await family(leader)) {
    try {
      total += Number((await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ')[1]) * PAGE
    } catch {
      // It ended in the meantime.
    }
  }
  return total
}

/** A process and its descendants, by /proc/pid/task/tid/children; see proc(5). */
async function family(leader: number): Promise<number[]> {
  const members = [leader]
  const children = async (pid: number): Promise<void> => {
    const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
    for (const task of tasks) {
      const list = await readFile(`/proc/${pid}/task/${task}/children`, 'latin1').catch(() => '')
      for (const child of list.split(' ').filter(Boolean).map(Number)) {
        members.push(child)
        await children(child)
      }
    }
  }
  await children(leader)
  return members
}
