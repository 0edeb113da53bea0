/**
 * A warm process that converts like the service's workers, and the cost of each conversion. Linux only. `startWarmWorker`
 * starts this same file as the process.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { WORKER_HEAP_MEGABYTES, workerProcess } from '../service/sandbox/process-settings.ts'
import { type Order, prepare } from './conversion.ts'
import { type Cost, processorSeconds } from './harness.ts'

export interface Converted extends Cost {
  /** Path of the output. */
  path: string
  /** Peak resident memory of this process during the conversion, in megabytes. */
  peak: number
}

async function convert(order: Order): Promise<Converted> {
  const { convert } = await prepare(order)
  // Resets the high-water mark.
  writeFileSync('/proc/self/clear_refs', '5')
  const [started, used] = [performance.now(), processorSeconds(process.pid)]
  const [output] = await convert()
  const wall = (performance.now() - started) / 1000
  const mark = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]
  return {
    wall,
    cpu: processorSeconds(process.pid) - used,
    path: output?.path ?? '',
    peak: Number(mark) / 1000,
  }
}

/** Starts a process that converts one order after another. */
export function startWarmWorker() {
  const env = { ...process.env, ...workerProcess.env }
  const child = fork(import.meta.filename, {
    execArgv: [`--max-old-space-size=${WORKER_HEAP_MEGABYTES}`],
    env,
  })
  return {
    pid: child.pid ?? 0,
    async convert(order: Omit<Order, 'cores'>): Promise<Converted> {
      child.send({ ...order, cores: 2 })
      const [answer] = (await once(child, 'message')) as [Converted | { error: string }]
      if ('error' in answer) throw new Error(`${order.job}: ${answer.error}`)
      return answer
    },
    stop: () => void child.kill('SIGKILL'),
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
