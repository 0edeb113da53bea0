import { readFileSync } from 'node:fs'

/** Whether a process runs; a zombie, which Linux still lists, does not (proc(5), stat). */
export function isAlive(pid: number): boolean {
  try {
    if (process.platform === 'linux') return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
