/**
 * The log in which workers tell when they begin and end an attempt of a job, and hosts until when they have its lease, one file for
 * each job. A line is written at once or not at all, whatever process dies.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a worker does, or finds: that the process of another attempt is still at it; or what a host has. */
export type Act = 'start' | 'end' | 'overlap' | 'lease'

export interface Line {
  act: Act
  attempt: number
  /** The process that does it; of an overlap, the process of the other attempt. */
  pid: number
  /** Milliseconds since 1970: when it was, and of a lease when it is over. */
  at: number
}

/** The output that an attempt makes of an input. */
export const outputOf = (input: string, attempt: number): string => `${input} by attempt ${attempt}`

/** Variable in the environment of workers that names the folder of the log. */
export const FENCE = 'REFILE_TEST_FENCE'

/** Whether a process runs; one that is dead and was not waited for does not (proc(5), stat). */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

export function write(folder: string, job: string, { act, attempt, pid, at }: Line): void {
  appendFileSync(join(folder, job), `${act} ${attempt} ${pid} ${at}\n`)
}

export function read(folder: string, job: string): Line[] {
  const lines = readFileSync(join(folder, job), 'utf8').trim().split('\n')
  return lines.map(line => {
    const [act, attempt, pid, at] = line.split(' ')
    return { act: act as Act, attempt: Number(attempt), pid: Number(pid), at: Number(at) }
  })
}

/** Everything that was told, by job. */
export const readAll = (folder: string): Map<string, Line[]> =>
  new Map(readdirSync(folder).map(job => [job, read(folder, job)]))

/** Attempts that were begun and are not ended, whose processes live. */
export function open(lines: readonly Line[]): Line[] {
  const isEnded = ({ attempt, pid }: Line) =>
    lines.some(line => line.act === 'end' && line.attempt === attempt && line.pid === pid)
  return lines.filter(line => line.act === 'start' && !isEnded(line) && isAlive(line.pid))
}
