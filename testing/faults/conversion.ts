/** The workers of these tests: the first word of an input decides what happens. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FromWorker, ToWorker, WorkerTasks } from '../../service/sandbox/workers/protocol.ts'
import { message } from '../../service/shared/messages/message.ts'

export type Behaviour = 'fine' | 'fail' | 'crash' | 'slow'

/** A `slow` input takes longer than any test waits. */
const SLOW_MS = 600_000

/** The output that an input becomes. */
export const outputOf = (input: string): string => `${input} converted.`

export interface Surroundings {
  send(answer: FromWorker): void
  /** Dies in the middle of a task. */
  crash(): void
  /** Aborts when the worker is killed. */
  signal?: AbortSignal
}

/** Runs one task and reports its end. */
export async function work(posted: unknown, { send, crash, signal }: Surroundings): Promise<void> {
  const { id, kind, request } = posted as ToWorker
  if (kind !== 'convert') return send({ type: 'done', id, answer: kind === 'measure' ? {} : [] })
  const { input, folder } = request as WorkerTasks['convert']['request']
  const text = await readFile(input.path, 'utf8')
  const [behaviour] = text.split(' ')
  if (behaviour === 'slow') await delay(SLOW_MS, undefined, { signal })
  if (behaviour === 'crash') return crash()
  if (behaviour === 'fail') {
    const reason = message('jobs.corrupt_input')
    return send({ type: 'failed', id, code: 'jobs.corrupt_input', reason, isUnexpected: false })
  }
  const path = join(folder, 'output')
  const output = outputOf(text)
  await writeFile(path, output)
  const answer = { path, fileName: `${input.stem}.out`, contentType: 'text/plain', fileCount: 1 }
  send({ type: 'done', id, answer: { ...answer, bytes: Buffer.byteLength(output) } })
}
