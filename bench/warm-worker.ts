/**
 * A warm process that converts like the service's workers, and the cost of each conversion. Linux only. `startWarmWorker`
 * starts this same file as the process.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { WORKER_HEAP_MEGABYTES, workerProcess } from '../service/sandbox/process-settings.ts'
import { convertFile } from '../testing/fixtures/convert.ts'
import { processorSeconds } from './harness.ts'

interface Order {
  job: string
  path: string
  options: Record<string, unknown>
  cores: number
}

interface Cost {
  /** Wall time in seconds. */
  wall: number
  /** Processor time in seconds, user and kernel, including the programs it started. */
  cpu: number
}

async function convert({ job, path, options, cores }: Order): Promise<Cost> {
  const [started, used] = [performance.now(), processorSeconds(process.pid)]
  const { folder } = await convertFile(job, path, options, { cores })
  const wall = (performance.now() - started) / 1000
  const cpu = processorSeconds(process.pid) - used
  await rm(folder, { recursive: true })
  return { wall, cpu }
}

/** Starts a process that converts one order after another. */
export function startWarmWorker() {
  const child = fork(import.meta.filename, {
    execArgv: [`--max-old-space-size=${WORKER_HEAP_MEGABYTES}`],
    env: { ...process.env, ...workerProcess.env },
  })
  return {
    async convert(order: Order): Promise<Cost> {
      child.send(order)
      const [answer] = (await once(child, 'message')) as [Cost | { error: string }]
      if ('error' in answer) throw new Error(`${order.job}: ${answer.error}`)
      return answer
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

if (process.argv[1] === import.meta.filename) {
  process.on('message', (order: Order) => {
    convert(order).then(
      done => process.send?.(done),
      error => process.send?.({ error: String(error) }),
    )
  })
}
