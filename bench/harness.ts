import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refile } from '../sdk/src/index.ts'
import { serviceProcess } from '../service/sandbox/process-settings.ts'
import { type StartedService, startService } from '../setup/from-sources.ts'

const root = join(import.meta.dirname, '..')

export interface BenchService extends StartedService {
  home: string
  /** Stops it and keeps its data folder. */
  close(): Promise<void>
  stop(): Promise<void>
}

/** Starts the built service like a user, with an existing data folder or a new one, which is deleted at the end. */
export async function startBuiltService(existing?: string): Promise<BenchService> {
  const main = join(root, 'dist', 'service', 'main.js')
  if (!existsSync(main)) throw new Error('Run `npm run build` first.')
  const home = existing ?? (await mkdtemp(join(tmpdir(), 'refile-bench-')))
  // Like `npm run serve`.
  const service = await startService([...serviceProcess.nodeOptions, main], home, {
    ...serviceProcess.env,
    ...{ REFILE_FREE_CREDITS: '1000000', REFILE_RATE_LIMIT: '0', REFILE_LOG_LEVEL: 'silent' },
  })
  const close = async () => await service[Symbol.asyncDispose]()
  const stop = async () => {
    await close()
    await rm(home, { recursive: true, force: true })
  }
  return { ...service, home, close, stop }
}

/** Converts a file as programs do, and downloads the result. */
export async function convert({ url, apiKey }: BenchService, name: string, bytes: Buffer, target: string) {
  const client = new Refile({ baseUrl: url, apiKey })
  const result = await client.convert({ name, data: new Blob([new Uint8Array(bytes)]) }, target)
  await result.blob()
}

/** Resident megabytes of a process. */
export const ownMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000

/** Resident megabytes of a process and all its descendants. */
export const residentMegabytes = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + residentMegabytes(child), ownMegabytes(pid))

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
}

/** Ticks per second in /proc, the same on every Linux. */
const TICKS = 100

/** Processor time of a process and of its children that have exited, in seconds: utime to cstime of proc(5). */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / TICKS, 0)
}

/** The same with all its descendants. */
export const processorSecondsOfAll = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + processorSecondsOfAll(child), processorSeconds(pid))

/** Processor time since the machine started, busy and in total, as two counters. */
export function processorTime(): { busy: number; total: number } {
  const numbers = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/).slice(1).map(Number) ?? []
  const total = numbers.slice(0, 8).reduce((sum, value) => sum + value, 0)
  return { busy: total - (numbers[3] ?? 0) - (numbers[4] ?? 0), total }
}

/** Milliseconds that something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Does something so many times, a few at once. */
export async function repeat(times: number, atOnce: number, work: () => Promise<unknown>): Promise<void> {
  let left = times
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** A line of the report. */
export interface Reported {
  subject: string
  figure: string
  /** What the figure is compared with; empty if with nothing. */
  goal: string
  reached: boolean
  /** Why it is missed, where that is known. */
  cause?: string | undefined
}

/** The environment variable that names the file which collects a benchmark's report, a line of JSON each. */
export const RESULTS = 'REFILE_BENCH_RESULTS'

/** Whether this runs for the report, which is about everything and so measures each thing less often, and on shorter files. */
export const isForReport = process.env[RESULTS] !== undefined

/** How often something is measured, which `BENCH_ROUNDS` changes. */
export const rounds = (usual: number): number =>
  Number(process.env.BENCH_ROUNDS ?? (isForReport ? Math.min(3, usual) : usual))

/** Reports one line: the subject, the figure, the goal it is compared with, and why that is missed if it is. */
export function report(
  subject: string,
  figure: string,
  goal: string,
  reached: boolean,
  cause?: string,
): void {
  console.log(`${reached ? '  ok  ' : ' MISS '} ${subject.padEnd(58)} ${figure.padStart(16)}   goal ${goal}`)
  const results = process.env[RESULTS]
  if (results)
    appendFileSync(
      results,
      `${JSON.stringify({ subject, figure, goal, reached, cause } satisfies Reported)}\n`,
    )
}

/** Reports a figure that may be `most` at most. */
export function reportMost(subject: string, value: number, most: number, unit = '', cause?: string): void {
  const digits = most < 0.1 ? 4 : most < 10 ? 2 : 0
  const figure = `${value.toFixed(digits)} ${unit}`.trim()
  report(subject, figure, `≤ ${most} ${unit}`.trim(), value <= most, cause)
}
