/** A worker that sleeps instead of converting, for as long as its input says, and writes to the fencing log. */
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endWithService } from '../../../service/sandbox/workers/lifeline.ts'
import type { FromWorker, ToWorker, WorkerTasks } from '../../../service/sandbox/workers/protocol.ts'
import { message } from '../../../service/shared/messages/message.ts'
import { FENCE, type Line, open, outputOf, read, write } from './fence.ts'

/** What `host.ts` adds to a task. */
interface Numbered {
  attempt: number
}

const fence = process.env[FENCE]
const send = (answer: FromWorker) => process.send?.(answer)

/** An input starts with `fine` or `fail`, followed by the duration in milliseconds. */
async function convert(id: number, request: WorkerTasks['convert']['request'], attempt: number) {
  const job = basename(request.folder)
  const { pid } = process
  const record = (line: Omit<Line, 'at'>) => fence && write(fence, job, { ...line, at: Date.now() })
  record({ act: 'start', attempt, pid })
  const others = fence ? open(read(fence, job)).filter(other => other.pid !== pid) : []
  for (const other of others) record({ ...other, act: 'overlap', attempt: Math.min(attempt, other.attempt) })
  const input = await readFile(request.input.path, 'utf8')
  const [word, ms] = input.split(' ')
  await delay(Number(ms))
  const path = join(request.folder, 'output')
  const output = outputOf(input, attempt)
  await writeFile(path, output)
  record({ act: 'end', attempt, pid })
  if (word === 'fail') {
    const reason = message('jobs.corrupt_input')
    return send({ type: 'failed', id, code: 'jobs.corrupt_input', reason, isUnexpected: false })
  }
  const answer = { path, fileName: `${request.input.stem}.out`, contentType: 'text/plain', fileCount: 1 }
  send({ type: 'done', id, answer: { ...answer, bytes: Buffer.byteLength(output) } })
}

process.on('message', posted => {
  const { id, kind, request, attempt } = posted as ToWorker & Numbered
  if (kind === 'convert') void convert(id, request as WorkerTasks['convert']['request'], attempt)
  else send({ type: 'done', id, answer: kind === 'measure' ? {} : kind === 'engines' ? [] : null })
})
endWithService()
send({ type: 'ready' })
