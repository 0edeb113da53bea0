import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure } from '../service/sandbox/workers/failure.ts'
import { endWithService } from '../service/sandbox/workers/lifeline.ts'
import type { FromWorker, ToWorker, WorkerTasks } from '../service/sandbox/workers/protocol.ts'
import { JobFailure } from '../service/shared/errors.ts'
import { message } from '../service/shared/messages/message.ts'

/** Does what the text of its input says; see `behaviours`. */
const send = (message: FromWorker) => process.send?.(message)

type Convert = WorkerTasks['convert']['request']

const behaviours: Record<string, (request: Convert, id: number) => unknown> = {
  hang: () => {
    for (;;);
  },
  /** A native call that never returns, as in an engine. */
  'hang-natively': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  /** Waits for a program, as for ffmpeg. */
  'wait-for-program': request => {
    const { pid = 0 } = spawn('sleep', ['300'], { stdio: 'ignore' })
    writeFileSync(join(request.folder, 'program'), String(pid))
    return new Promise(() => {})
  },
  /** Reports in its folder that it has begun, and continues when told so there. */
  begin: async request => {
    writeFileSync(join(request.folder, 'begun'), '')
    while (!existsSync(join(request.folder, 'go'))) await new Promise(resolve => setTimeout(resolve, 10))
  },
  segfault: () => process.kill(process.pid, 'SIGSEGV'),
  abort: () => process.abort(),
  exit: () => process.exit(0),
  throw: () => {
    process.stderr.write('said before\n')
    throw new Error('unexpected', { cause: new Error('the cause', { cause: 'the root' }) })
  },
  'fail-with-cause': () => {
    throw new JobFailure('jobs.corrupt_input', undefined, { cause: new Error('bad magic number') })
  },
  'say-and-die': () => {
    writeSync(2, `${'x'.repeat(100_000)}\nthe last words\n`)
    process.kill(process.pid, 'SIGKILL')
  },
  sleep: () => new Promise(resolve => setTimeout(resolve, 60_000)),
  'heap-overflow': () => {
    const kept: unknown[] = []
    // Numbers that the collector has no references to look for in.
    for (;;) kept.push(new Array(1e6).fill(0.5))
  },
  'memory-flood': async () => {
    const kept: Buffer[] = []
    for (;;) {
      kept.push(Buffer.alloc(2 ** 24, 1))
      await new Promise(resolve => setTimeout(resolve, 2))
    }
  },
  'output-flood': async request => {
    for (let index = 0; ; index++) {
      writeFileSync(join(request.folder, `${index}`), Buffer.alloc(2 ** 22))
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  },
  'start-program': (_request, id) => {
    const { pid = 0 } = spawn('sleep', ['300'], { stdio: 'ignore' })
    send({ type: 'warning', id, warning: message('stored.text', { text: String(pid) }) })
    return new Promise(() => {})
  },
  /** Reports how many cores it may use. */
  cores: ({ cores }, id) =>
    send({ type: 'warning', id, warning: message('stored.text', { text: String(cores) }) }),
  warn: (_request, id) => {
    for (const text of ['One is lost.', 'Two is missing.', 'One is lost.']) {
      send({ type: 'warning', id, warning: message('stored.text', { text }) })
    }
  },
  /** A program that ignores SIGTERM and keeps writing into the task's folder. */
  'start-writer': (request, id) => {
    const script = `trap '' TERM; n=0; while :; do n=$((n+1)); echo $n > "$0/written-$n"; done`
    const { pid = 0 } = spawn('sh', ['-c', script, request.folder], { stdio: 'ignore' })
    send({ type: 'warning', id, warning: message('stored.text', { text: String(pid) }) })
    return new Promise(() => {})
  },
  'disk-full': () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  },
  'disk-really-full': request => writeFileSync(join(request.folder, 'output'), Buffer.alloc(2 ** 26)),
}

/** What says nothing of the conversion itself. */
const ordinary = new Set(['fine', 'measure', 'ok', 'progress', 'several'])

/** A result of two files, one of them in a folder. */
async function several({ folder }: Convert, stem: string) {
  const { twoFiles } = await import('./two-files.ts')
  const content = twoFiles(stem)
  const path = join(folder, 'output')
  writeFileSync(path, content)
  const bytes = content.length
  return {
    path,
    fileName: `service-${stem}-2-outputs.zip`,
    contentType: 'application/zip',
    fileCount: 2,
    bytes,
  }
}

process.on('message', async message => {
  const { id, kind, request } = message as ToWorker
  // A recording can ask to be slow to measure.
  if (request && 'input' in request && kind === 'measure') {
    const [word, pause] = readFileSync(request.input.path, 'utf8').trim().split(' ')
    if (word === 'measure') await new Promise(resolve => setTimeout(resolve, Number(pause)))
  }
  if (kind === 'encoders') {
    const answer = [
      { name: 'libx264', hardware: false, fps: 60.4 },
      { name: 'h264_vaapi', hardware: true, fps: null },
    ]
    return void send({ type: 'done', id, answer })
  }
  if (kind === 'engines') {
    // A machine without ffmpeg.
    const report = { id: 'ffmpeg', name: 'ffmpeg', version: null, available: false, hint: null }
    return send({ type: 'done', id, answer: [report] })
  }
  if (kind === 'size') return send({ type: 'done', id, answer: null })
  if (kind === 'measure') return send({ type: 'done', id, answer: {} })
  const convert = request as Convert
  const [word = '', pause = '0'] = readFileSync(convert.input.path, 'utf8').trim().split(' ')
  try {
    // What the next step of the job does, in a file of the format that is asked for.
    if (word === 'then') {
      const [, target = ''] = /-to-(.+)$/.exec(convert.job) ?? []
      const path = join(convert.folder, 'output')
      const next = readFileSync(convert.input.path, 'utf8').trim().slice('then '.length)
      writeFileSync(path, next)
      await behaviours.warn?.(convert, id)
      const fileName = `${convert.input.stem}.${target}`
      const answer = { path, fileName, contentType: 'text/plain', fileCount: 1, bytes: next.length }
      return send({ type: 'done', id, answer })
    }
    await new Promise(resolve => setTimeout(resolve, Number(pause)))
    // A folder that was packed says nothing either.
    if (!behaviours[word] && !ordinary.has(word) && !word.startsWith('PK'))
      throw new Error(`There is no behaviour "${word}".`)
    await behaviours[word]?.(convert, id)
    const path = join(convert.folder, 'output')
    const result = `${word} done by ${process.pid}`
    writeFileSync(path, result)
    send({ type: 'progress', id, fraction: 0.5, phase: 'converting' })
    const { stem } = convert.input
    const one = { path, fileName: `${stem}.out`, contentType: 'text/plain', fileCount: 1 }
    const bytes = result.length
    send({ type: 'done', id, answer: word === 'several' ? await several(convert, stem) : { ...one, bytes } })
  } catch (error) {
    send({ type: 'failed', id, ...describeFailure(error) })
  }
})
endWithService()
send({ type: 'ready' })
