import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the processes each process started, by `ps` where there is no /proc. Empty if even that fails. */
function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>()
  try {
    const table = execFileSync('/bin/ps', ['-axo', 'pid=,ppid='], { encoding: 'latin1' })
    for (const line of table.split('\n')) {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      if (pid && parent) children.set(parent, [...(children.get(parent) ?? []), pid])
    }
  } catch {
    // The process itself is killed all the same.
  }
  return children
}

/** See proc(5): /proc/pid/task/tid/children. Empty for a process that is gone. */
function linuxChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** A process's descendants, nearest first. */
function descendants(pid: number): number[] {
  const table = process.platform === 'linux' ? undefined : childrenByParent()
  const found: number[] = []
  const queue = [pid]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const children = table ? (table.get(next) ?? []) : linuxChildren(next)
    found.push(...children)
    queue.push(...children)
  }
  return found
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Already gone.
  }
}

/**
 * SIGKILLs a process and all it started. A utility process leads no process group, so its family is looked up;
 * it is stopped meanwhile lest it start another. On Windows libuv's job object takes the children along.
 */
export function killTree(pid: number): void {
  const members = [pid]
  if (process.platform !== 'win32') {
    signal(pid, 'SIGSTOP')
    members.push(...descendants(pid))
  }
  for (const member of members) signal(member, 'SIGKILL')
}
