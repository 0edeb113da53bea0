/** Conversions in worker processes, as in the service: for files that may crash one. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { engines } from '../service/convert/catalogue/engines.ts'
import { withDefaults } from '../service/convert/catalogue/options.ts'
import { workerEnvironment } from '../service/sandbox/workers/environment.ts'
import { WorkerPool } from '../service/sandbox/workers/pool.ts'
import type { Spawn } from '../service/sandbox/workers/spawn.ts'
import { JobFailure, type JobFailureCode } from '../service/shared/errors.ts'
import { render } from '../service/shared/messages/render.ts'
import { converterOf, inputOf } from './fixtures/convert.ts'
import { spawnForTests } from './servers/hosts/spawn.ts'

/** How a conversion ended. */
export interface Ended {
  code: 'converted' | JobFailureCode
  warnings: string[]
  /** Size of the result. */
  bytes: number
  /** Checksum of the result; empty if there is none. */
  digest: string
  /** Largest growth of its process's memory meanwhile, if it was the only one working; without programs. */
  growthBytes: number
}

export interface TestWorkers {
  /** Converts a file; never throws for failures that a job can have. */
  convert(job: string, path: string, options?: Record<string, unknown>): Promise<Ended>
  /** Stacks of unexpected errors so far. */
  readonly unexpected: readonly object[]
  close(): Promise<void>
}

/**
 * Starts watching the memory of processes; see proc(5) for VmRSS (the current amount), VmHWM (the peak since it was
 * reset) and
 * clear_refs (which resets it).
 * @returns the largest growth of any of them in bytes; 0 if there is no /proc
 */
function watchGrowth(pids: readonly number[]): () => number {
  const memory = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1')
      return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
    } catch {
      return 0
    }
  }
  const before = new Map<number, number>()
  for (const pid of pids) {
    if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
    before.set(pid, memory(pid, 'VmRSS'))
  }
  return () => Math.max(0, ...pids.map(pid => memory(pid, 'VmHWM') - (before.get(pid) ?? 0)))
}

const root = join(import.meta.dirname, '..')

/**
 * Starts a pool of worker processes.
 * @param size number of processes
 * @param timeout milliseconds that a conversion may take
 */
export async function testWorkers(size: number, timeout: number): Promise<TestWorkers> {
  const scratch = await mkdtemp(join(tmpdir(), 'refile-workers-'))
  const config = {
    ffmpeg: null,
    home: scratch,
    models: null,
    offline: false,
    fetchPacks: true,
    resources: null,
    slots: size,
  }
  const unexpected: object[] = []
  const pids: number[] = []
  const spawn: Spawn = (...args) => {
    const worker = spawnForTests(...args)
    if (worker.pid !== undefined) pids.push(worker.pid)
    return worker
  }
  const pool = new WorkerPool(spawn, {
    entry: join(root, 'service/sandbox/workers/entry.ts'),
    env: workerEnvironment(config, join(root, 'resources'), scratch),
    folders: scratch,
    places: { convert: size, measure: size },
    memoryBudgetBytes: Number.POSITIVE_INFINITY,
    tasksPerWorker: 1000,
    log: { error: fields => unexpected.push(fields), warn: () => {} },
  })
  let count = 0
  const convert: TestWorkers['convert'] = async (job, path, options = {}) => {
    const converter = converterOf(job)
    const folder = join(scratch, String(++count))
    const warnings: string[] = []
    await mkdir(folder)
    const growth = watchGrowth(pids)
    try {
      const input = await inputOf(path, converter.source)
      const { path: output, bytes } = await pool.run(
        'convert',
        { job, input, options: withDefaults(converter.options, options), folder, cores: 1 },
        {
          engine: engines[converter.engine],
          queue: 'convert',
          timeoutMs: timeout,
          folder,
          onWarning: warning => warnings.push(render(warning)),
        },
      )
      const hash = createHash('sha1')
      await pipeline(createReadStream(output), hash)
      return { code: 'converted', warnings, bytes, digest: hash.digest('hex'), growthBytes: growth() }
    } catch (error) {
      if (error instanceof JobFailure) {
        return { code: error.code, warnings, bytes: 0, digest: '', growthBytes: growth() }
      }
      throw error
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  }
  const close = async () => {
    await pool.close()
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 })
  }
  return { convert, unexpected, close }
}
