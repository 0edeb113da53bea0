/**
 * A log in which workers record the start and end of each attempt of a job, and hosts the expiry of its lease. There is one
 * file per job. Each line is written whole or not at all, whatever process dies.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../is-alive.ts'

/**
 * What is recorded: a worker starts or ends an attempt, or finds the process of another attempt still working; or a host gets a
 * lease.
 */
export type Act = 'start' | 'end' | 'overlap' | 'lease'

export interface Line {
  act: Act
  /** Of an overlap, the earlier of the two. */
  attempt: number
  /** The process that records it; for an overlap, the process of the other attempt. */
  pid: number
  /** Milliseconds since 1970: the time of the record, or of a lease its expiry. */
  at: number
}

/** The output that an attempt makes from an input. */
export const outputOf = (input: string, attempt: number): string => `${input} by attempt ${attempt}`

/** Environment variable of workers with the folder of the log. */
export const FENCE = 'REFILE_TEST_FENCE'

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

/** All records, by job. */
export const readAll = (folder: string): Map<string, Line[]> =>
  new Map(readdirSync(folder).map(job => [job, read(folder, job)]))

/** Attempts that have started and not ended, and whose processes are alive. */
export function open(lines: readonly Line[]): Line[] {
  const isEnded = ({ attempt, pid }: Line) =>
    lines.some(line => line.act === 'end' && line.attempt === attempt && line.pid === pid)
  return lines.filter(line => line.act === 'start' && !isEnded(line) && isAlive(line.pid))
}
