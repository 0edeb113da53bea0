import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Most milliseconds a kill is waited for: a process in an uninterruptible call to the system may take long to die. */
const KILL_TIMEOUT_MS = 3000
/** Looks at a process group after which its members are read from /proc, too; until then asking for the group is enough. */
const CHEAP_LOOKS = 3

/** Sends a signal; 0 only asks. Returns whether anyone was there to get it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Waits until `isGone`, looking often at first. Gives up after `KILL_TIMEOUT_MS`. */
async function waitUntil(isGone: (look: number) => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + KILL_TIMEOUT_MS
  for (let look = 0; !(await isGone(look)) && Date.now() < deadline; look++) {
    await setTimeout(Math.min(50, 2 ** (look + 1)))
  }
}

/** SIGKILLs a process group (not on Windows, which has none); resolves when nobody of it runs any more. */
export async function killGroup(leader: number): Promise<void> {
  signal(-leader, 'SIGKILL')
  await waitUntil(async look => {
    if (!signal(-leader, 0)) return true
    // Where nobody collects orphans, as in many containers, the dead stay members of the group.
    return process.platform === 'linux' && look >= CHEAP_LOOKS && !(await hasRunningMember(leader))
  })
}

/**
 * SIGKILLs a process and all it started, for processes that lead no group; resolves when all of them are gone. The
 * process is stopped while its descendants are looked up, lest it start another. On Windows libuv's job object takes the
 * children along.
 */
export async function killTree(pid: number): Promise<void> {
  const members = [pid]
  if (process.platform !== 'win32') {
    signal(pid, 'SIGSTOP')
    members.push(...(await descendants(pid)))
  }
  for (const member of members) signal(member, 'SIGKILL')
  await waitUntil(async () => (await Promise.all(members.map(isRunning))).every(running => !running))
}

/**
 * Resident memory in bytes of a process and all it started, read from /proc. Shared pages count in each process,
 * so the figure errs on the high side. Undefined where there is no /proc: there only V8's own limit holds.
 */
export async function residentBytes(leader: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const sizes = await Promise.all([leader, ...(await descendants(leader))].map(residentBytesOf))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** See proc(5), /proc/pid/status: kilobytes, whatever the size of a page. 0 for a process that is gone. */
async function residentBytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/** Ids of the processes a process started, and of those that these started; nearest first, without the process itself. */
async function descendants(pid: number): Promise<number[]> {
  const childrenOf = process.platform === 'linux' ? linuxChildren : await childrenByPs()
  const found: number[] = []
  const queue = [pid]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const children = await childrenOf(next)
    found.push(...children)
    queue.push(...children)
  }
  return found
}

/** See proc(5), /proc/pid/task/tid/children. Empty for a process that is gone. */
async function linuxChildren(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    tasks.map(task => readFile(`/proc/${pid}/task/${task}/children`, 'latin1').catch(() => '')),
  )
  return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
}

/** Asks `ps` once, where there is no /proc. If even that fails, processes seem to have no children. */
async function childrenByPs(): Promise<(pid: number) => number[]> {
  const children = new Map<number, number[]>()
  const table = await promisify(execFile)('/bin/ps', ['-axo', 'pid=,ppid='], { encoding: 'latin1' }).catch(
    () => ({ stdout: '' }),
  )
  for (const line of table.stdout.split('\n')) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    if (pid && parent) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  return pid => children.get(pid) ?? []
}

/** State and process group of a process, by /proc/pid/stat; see proc(5). */
async function statOf(pid: number | string): Promise<{ state: string; group: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name in parentheses may hold anything.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state ? { state, group: Number(group) } : undefined
}

/** Dead processes are listed until their parent has asked how they ended. */
const isDead = (state: string) => state === 'Z' || state === 'X'

async function isRunning(pid: number): Promise<boolean> {
  if (!signal(pid, 0)) return false
  if (process.platform !== 'linux') return true
  const stat = await statOf(pid)
  return stat !== undefined && !isDead(stat.state)
}

async function hasRunningMember(group: number): Promise<boolean> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map(statOf))
  return stats.some(stat => stat?.group === group && !isDead(stat.state))
}
