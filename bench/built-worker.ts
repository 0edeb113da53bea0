/**
 * Workers of the build, started like the service does, and the cost of a conversion in one. Linux only; needs `npm run build`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engines } from '../service/convert/catalogue/engines.ts'
import { withDefaults } from '../service/convert/catalogue/options.ts'
import { engineEnvironment, workerProcess } from '../service/sandbox/process-settings.ts'
import { spawnNode } from '../service/sandbox/workers/spawn.ts'
import { Worker } from '../service/sandbox/workers/worker.ts'
import { converterOf, inputOf } from '../testing/samples/convert.ts'
import { type Cost, processorSeconds, residentMegabytes } from './harness.ts'

export interface WorkerCost extends Cost {
  bytes: number
  /** Peak resident memory of the worker itself, in megabytes. */
  worker: number
  /** Peak memory of the worker together with the programs it started, in megabytes, as far as sampling saw it. */
  together: number
}

const SAMPLE_MS = 25
const TIMEOUT_MS = 3_600_000
const MEMORY_LIMIT_BYTES = 2 ** 33
/** Runs one conversion in a new worker of the build and deletes the output. */
export async function convertInWorker(job: string, path: string, cores: number): Promise<WorkerCost> {
  const entry = join(import.meta.dirname, '..', 'dist', 'service', 'worker.js')
  if (!existsSync(entry)) throw new Error('Run `npm run build` first.')
  const converter = converterOf(job)
  const folder = mkdtempSync(join(tmpdir(), 'refile-bench-worker-'))
  const env = { PATH: process.env.PATH ?? '', REFILE_SERVICE_PID: String(process.pid), ...workerProcess.env }
  const worker = new Worker(
    spawnNode(entry, { ...env, ...engineEnvironment(engines[converter.engine]) }),
    { memoryBytes: MEMORY_LIMIT_BYTES },
    { error: console.error, warn: console.warn },
  )
  let together = 0
  const look = setInterval(() => {
    try {
      together = Math.max(together, residentMegabytes(worker.pid ?? 0))
    } catch {
      // A program exited while it was being read.
    }
  }, SAMPLE_MS)
  try {
    await worker.ready
    const pid = worker.pid ?? 0
    const [started, used] = [performance.now(), processorSeconds(pid)]
    const { bytes } = await worker.run(
      'convert',
      {
        ...{ job, folder, cores },
        input: await inputOf(path, converter.source),
        options: withDefaults(converter.options, {}),
      },
      { timeoutMs: TIMEOUT_MS },
    )
    const wall = (performance.now() - started) / 1000
    const mark = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return { wall, cpu: processorSeconds(pid) - used, bytes, worker: Number(mark) / 1000, together }
  } finally {
    clearInterval(look)
    await worker.kill()
    rmSync(folder, { recursive: true })
  }
}
