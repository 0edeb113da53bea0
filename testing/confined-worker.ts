/**
 * A worker that is confined like any other and runs the program at REFILE_FFMPEG, to which it has access, with the words of its
 * input as arguments. `{folder}` and `{input}` stand for the paths given to the task. Its result is what the program printed.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { confine } from '../service/sandbox/confinement/confine.ts'
import { describeFailure } from '../service/sandbox/workers/failure.ts'
import { endWithService } from '../service/sandbox/workers/lifeline.ts'
import type { FromWorker, ToWorker, WorkerTasks } from '../service/sandbox/workers/protocol.ts'

const INPUT_BYTES = 10_000

const send = (message: FromWorker) => process.send?.(message)

/** The text at the beginning of a file. */
function readHead(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(INPUT_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes)).replaceAll('\0', '').trim()
  } finally {
    closeSync(file)
  }
}

async function printed(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await new Promise(resolve => child.once('close', resolve).once('error', resolve))
  return text
}

async function run({ id, kind, request }: ToWorker): Promise<void> {
  if (kind === 'engines') return void send({ type: 'done', id, answer: [] })
  if (kind === 'measure') return void send({ type: 'done', id, answer: {} })
  const { input, folder } = request as WorkerTasks['convert']['request']
  try {
    const words = readHead(input.path).split(/\s+/)
    const [first = ''] = words
    const path = join(folder, 'output')
    if (first === 'name') writeFileSync(path, '')
    else {
      const args = words.map(word =>
        word.replace('{folder}', folder).replace('{above}', dirname(folder)).replace('{input}', input.path),
      )
      writeFileSync(path, await printed(process.env.REFILE_FFMPEG ?? '', args))
    }
    // Or a file that the worker did not make.
    const named = first === 'name' ? (words[1] ?? '') : path
    const answer = { fileName: 'a.out', contentType: 'text/plain', fileCount: 1, bytes: 1, path: named }
    send({ type: 'done', id, answer })
  } catch (error) {
    send({ type: 'failed', id, ...describeFailure(error) })
  }
}

const confinement = confine()
process.on('message', message => void run(message as ToWorker))
endWithService()
send({ type: 'ready', confinement })
