/**
 * The worker process: does one task at a time and knows nothing of jobs, accounts or requests.
 * Runs alike under `child_process.fork` and Electron's `utilityProcess.fork`.
 */
import { Worker } from 'node:worker_threads'
import type { Phase } from '../catalogue/task.ts'
import { converters } from '../converters/index.ts'
import { engineReports } from '../engines/index.ts'
import { asJobFailure, JobFailure } from '../errors.ts'
import { denyNetwork } from './network.ts'
import { packageOutputs } from './packaging.ts'
import type { FromWorker, ToWorker, WorkerTasks } from './protocol.ts'

interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort
const send = (message: FromWorker) => (parentPort ? parentPort.postMessage(message) : process.send?.(message))

/** Least time between two progress messages of one task, in milliseconds. */
const PROGRESS_INTERVAL = 100

function converterOf(job: string) {
  const converter = converters.find(candidate => candidate.job === job)
  if (!converter) throw new JobFailure('jobs.engine_missing', `This version of Refile has no ${job}.`)
  return converter
}

async function convert(id: number, request: WorkerTasks['convert']['request']) {
  const converter = converterOf(request.job)
  if (!converter.load) throw new JobFailure('jobs.engine_missing')
  let phase: Phase = 'preparing'
  let sent = 0
  const progress = (fraction: number, next: Phase = 'converting') => {
    const now = Date.now()
    if (next === phase && now - sent < PROGRESS_INTERVAL) return
    phase = next
    sent = now
    send({ type: 'progress', id, fraction: Math.min(1, Math.max(0, fraction)), phase })
  }
  const work = await converter.load()
  progress(0, 'converting')
  const outputs = await work.convert({
    input: request.input,
    source: converter.source,
    target: converter.target,
    options: request.options,
    folder: request.folder,
    cores: request.cores,
    signal: new AbortController().signal,
    progress,
    warn: message => send({ type: 'warning', id, message }),
  })
  progress(1, 'packaging')
  return packageOutputs(converter, request.input.stem, outputs, request.folder)
}

async function measure(request: WorkerTasks['measure']['request']) {
  const gauge = await converterOf(request.job).measure?.()
  return gauge ? gauge.measure(request.input) : {}
}

const engines = () => Promise.all(Object.values(engineReports).map(report => report()))

function unforeseen(error: unknown): Pick<FromWorker & { type: 'failed' }, 'code' | 'detail' | 'log'> {
  const { code, detail } = new JobFailure('jobs.engine_crashed')
  return { code, detail, log: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

async function run(message: ToWorker): Promise<void> {
  const { id, kind, request } = message
  try {
    const answer =
      kind === 'convert'
        ? await convert(id, request as WorkerTasks['convert']['request'])
        : kind === 'measure'
          ? await measure(request as WorkerTasks['measure']['request'])
          : await engines()
    send({ type: 'done', id, answer })
  } catch (thrown) {
    const error = asJobFailure(thrown)
    if (error instanceof JobFailure) send({ type: 'failed', id, code: error.code, detail: error.detail })
    else send({ type: 'failed', id, ...unforeseen(error) })
  }
}

/**
 * A worker busy in a native loop cannot notice that the service is gone, so a thread of its own watches for it
 * and takes the whole process group along.
 */
function dieWithParent(): void {
  const watch = `
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid === parent) return
      try { process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL') } catch {}
      process.kill(process.pid, 'SIGKILL')
    }, 500)`
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
}

denyNetwork()
if (parentPort) {
  parentPort.on('message', event => void run(event.data as ToWorker))
} else {
  process.on('message', message => void run(message as ToWorker))
  process.on('disconnect', () => process.exit(0))
  dieWithParent()
}
send({ type: 'ready' })
