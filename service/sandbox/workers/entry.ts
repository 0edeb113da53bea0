/**
 * The worker process: runs one task at a time and knows nothing of jobs, accounts or requests. It works the same under
 * `child_process.fork` and Electron's `utilityProcess.fork`.
 */
import { exceeds } from '../../convert/catalogue/costing.ts'
import { pagesBy } from '../../convert/catalogue/run.ts'
import type { Phase, TaskInput } from '../../convert/catalogue/task.ts'
import { converters } from '../../convert/converters/index.ts'
import { engineReports, FOUND_FFMPEG, pictureSize } from '../../convert/engines/index.ts'
import { JobFailure } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { confine } from '../confinement/confine.ts'
import { describeFailure, explained } from './failure.ts'
import { endWithService, leadGroup } from './lifeline.ts'
import { packageOutputs } from './packaging.ts'
import { IN_BACKGROUND, lowerOwnPriority } from './priority.ts'
import { FINDINGS, type FromWorker, type TaskKind, type ToWorker, type WorkerTasks } from './protocol.ts'
import { failOnUncaught } from './uncaught.ts'

interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort
const send = (message: FromWorker) => (parentPort ? parentPort.postMessage(message) : process.send?.(message))

/** Minimum time between two progress messages of one task. */
const PROGRESS_INTERVAL_MS = 100

function converterOf(job: string) {
  const converter = converters.find(candidate => candidate.job === job)
  if (!converter) throw new JobFailure('jobs.engine_missing', message('workers.unknown_conversion', { job }))
  return converter
}

async function convert(id: number, request: WorkerTasks['convert']['request']) {
  const converter = converterOf(request.job)
  if (!converter.load) throw new JobFailure('jobs.engine_missing')
  let phase: Phase = 'preparing'
  let sent = Number.NEGATIVE_INFINITY
  const progress = (fraction: number, next: Phase = 'converting') => {
    const now = performance.now()
    if (next === phase && now - sent < PROGRESS_INTERVAL_MS) return
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
    progress,
    warn: warning => send({ type: 'warning', id, warning }),
    consumed: amount => {
      if (request.charged && exceeds(converter.costing, request.charged, amount))
        throw new JobFailure('jobs.corrupt_input', message('input.longer_than_charged'))
    },
    pagesOf: pagesBy(converters, request.folder),
  })
  progress(1, 'packaging')
  return packageOutputs(converter, request.input.stem, outputs, request.folder)
}

async function measure(request: WorkerTasks['measure']['request']) {
  const measurer = await converterOf(request.job).measure?.()
  return measurer ? measurer.measure(request.input) : {}
}

async function thumbnail({ input, folder, edges }: WorkerTasks['thumbnail']['request']) {
  const { makeThumbnail } = await import('../../convert/preview/thumbnail.ts')
  return makeThumbnail(input, folder, edges)
}

async function preview(id: number, { conversion, ...request }: WorkerTasks['preview']['request']) {
  const { compare } = await import('../../convert/preview/comparison.ts')
  return compare({
    ...request,
    ...(conversion && {
      conversion: { converter: converterOf(conversion.job), options: conversion.options },
    }),
    warn: warning => send({ type: 'warning', id, warning }),
  })
}

const engines = () =>
  Promise.all(Object.entries(engineReports).map(async ([id, report]) => ({ id, ...(await report()) })))

const answers: { [K in TaskKind]: (id: number, request: never) => Promise<WorkerTasks[K]['answer']> } = {
  convert,
  measure: (_id, request: WorkerTasks['measure']['request']) => measure(request),
  size: async (_id, { path }: WorkerTasks['size']['request']) => (await pictureSize(path)) ?? null,
  thumbnail: (_id, request: WorkerTasks['thumbnail']['request']) => thumbnail(request),
  preview,
  engines,
  encoders: async () => (await import('../../convert/converters/video/hardware.ts')).tryEncoders(),
}

let running: number | undefined

let known = process.env[FINDINGS]
if (known !== undefined) process.env[FOUND_FFMPEG] = known

/** Reports to the service what has been found out meanwhile about the ffmpeg program. */
function sendFindings(): void {
  const found = process.env[FOUND_FFMPEG]
  if (found !== undefined && found !== known) send({ type: 'found', ffmpeg: found })
  known = found
}

async function run({ id, kind, request }: ToWorker): Promise<void> {
  running = id
  try {
    const answer = await answers[kind](id, request as never).finally(sendFindings)
    send({ type: 'done', id, answer })
  } catch (thrown) {
    const { input } = (request ?? {}) as { input?: TaskInput }
    send({ type: 'failed', id, ...describeFailure(await explained(thrown, input).catch(() => thrown)) })
  } finally {
    running = undefined
  }
}

failOnUncaught(() => running, send)
if (process.argv.includes(IN_BACKGROUND)) lowerOwnPriority()
if (parentPort) leadGroup()
const confinement = confine()
if (parentPort) {
  parentPort.on('message', event => void run(event.data as ToWorker))
} else {
  process.on('message', message => void run(message as ToWorker))
  endWithService()
}
send({ type: 'ready', confinement })
