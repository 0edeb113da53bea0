import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/** How long to wait for a kill: a process in an uninterruptible system call may take long to die. */
const KILL_TIMEOUT_MS = 3000
/**
 * After this many checks of a process group, its members are also read from /proc; before that, signalling the group is
 * enough.
 */
const CHEAP_LOOKS = 3

/** Counting stops at this many processes: each costs the service time, and no limit is as high. */
const MAX_COUNTED = 1000

// /proc is read synchronously: it answers from memory, and the thread pool would cost seven times the processor time.

/** Content of a file in /proc; empty if the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** The numeric names in a folder of /proc; empty if the process is gone. */
function ids(path: string): number[] {
  try {
    return readdirSync(path).map(Number).filter(Boolean)
  } catch {
    return []
  }
}

/** Sends a signal; 0 only tests. Returns whether there was a process to receive it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Waits until `isGone`, checking often at first. Gives up after `KILL_TIMEOUT_MS`. */
async function waitUntil(isGone: (look: number) => boolean): Promise<void> {
  const deadline = performance.now() + KILL_TIMEOUT_MS
  for (let look = 0; !isGone(look) && performance.now() < deadline; look++) {
    await setTimeout(Math.min(50, 2 ** (look + 1)))
  }
}

/** SIGKILLs a process group (not on Windows, which has none); resolves when no member of it runs any more. */
export async function killGroup(leader: number): Promise<void> {
  signal(-leader, 'SIGKILL')
  await waitUntil(look => {
    if (!signal(-leader, 0)) return true
    // Where nothing reaps orphans, as in many containers, zombies stay members of the group.
    return process.platform === 'linux' && look >= CHEAP_LOOKS && !hasRunningMember(leader)
  })
}

/**
 * SIGKILLs a process and everything it started, for processes that do not lead a group; resolves when all of them are
 * gone. The process is stopped while its descendants are looked up, so that it cannot start another. On Windows, libuv's
 * job object ends the children too.
 */
export async function killTree(pid: number): Promise<void> {
  const members = [pid]
  if (process.platform !== 'win32') {
    signal(pid, 'SIGSTOP')
    members.push(...descendants(pid, process.platform === 'linux' ? childrenByProc : await childrenByPs()))
  }
  for (const member of members) signal(member, 'SIGKILL')
  await waitUntil(() => !members.some(isRunning))
}

/** What a process and its descendants use. */
export interface Usage {
  /** Resident memory in bytes. Shared pages count in each process, so the figure errs on the high side. */
  bytes: number
  /** Processor time of all of them, and of those that have ended, in milliseconds. */
  cpuMs: number
  /** Number of processes, including the process itself. */
  processes: number
}

/** Read from /proc; undefined where there is none, so that only V8's own memory limit applies there. */
export function usageOf(leader: number): Usage | undefined {
  if (process.platform !== 'linux') return undefined
  const members = [leader, ...descendants(leader, childrenByProc, MAX_COUNTED)]
  const bytes = members.map(residentBytesOf).reduce((sum, own) => sum + own, 0)
  const cpuMs = members.map(cpuMsOf).reduce((sum, own) => sum + own, 0)
  return { bytes, cpuMs, processes: members.length }
}

/**
 * Resident bytes from /proc/pid/status (proc(5)), which are in kilobytes whatever the page size; 0 if the process is
 * gone.
 */
const residentBytesOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024

/** Length of the ticks in /proc/pid/stat: USER_HZ is 100 on every architecture that Node runs on. */
const TICK_MS = 10

/** Processor time of a process and of its children that have ended: utime, stime, cutime and cstime of proc(5); 0 if it is gone. */
export function cpuMsOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return ticks.reduce((sum, text) => sum + Number(text), 0) * TICK_MS
}

/** Ids of a process's descendants, nearest first, without the process itself. */
function descendants(
  pid: number,
  childrenOf: (pid: number) => number[],
  most = Number.POSITIVE_INFINITY,
): number[] {
  const found = [pid]
  for (const parent of found) {
    if (found.length > most) break
    found.push(...childrenOf(parent))
  }
  return found.slice(1)
}

/** See proc(5), /proc/pid/task/tid/children: each thread has its own list. */
const childrenByProc = (pid: number): number[] =>
  ids(`/proc/${pid}/task`).flatMap(task =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )

/** Runs `ps` once, where there is no /proc. If that fails too, processes appear to have no children. */
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

/** State and process group of a process, from /proc/pid/stat; see proc(5). */
function statOf(pid: number): { state: string; group: number } | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The name in parentheses may contain anything.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state ? { state, group: Number(group) } : undefined
}

/** Dead processes are listed until their parent has reaped them. */
const isDead = (state: string) => state === 'Z' || state === 'X'

function isRunning(pid: number): boolean {
  if (!signal(pid, 0)) return false
  if (process.platform !== 'linux') return true
  const stat = statOf(pid)
  return stat !== undefined && !isDead(stat.state)
}

const hasRunningMember = (group: number): boolean =>
  ids('/proc').some(pid => {
    const stat = statOf(pid)
    return stat?.group === group && !isDead(stat.state)
  })
