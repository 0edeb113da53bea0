import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { serviceProcess } from '../service/sandbox/process-settings.ts'
import { exitCode, exitCodeOf, messageOf } from './exit-codes.ts'
import { say } from './print.ts'
import { commandNames, runCommand } from './program.ts'
import type { Programs } from './service.ts'
import { isForWindow } from './window.ts'

/** Whether this runs from the bundle in dist/cli rather than from the sources. */
const bundled = !import.meta.filename.endsWith('.ts')

const programs: Programs = {
  service: join(import.meta.dirname, '..', 'service', bundled ? 'main.js' : 'main.ts'),
  node: process.execPath,
  nodeOptions: serviceProcess.nodeOptions,
  environment: serviceProcess.env,
}

process.stdout.on('error', error => {
  // The reader of a pipe may stop reading, as `head` does.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(exitCode.done)
  say(`refile: Standard output: ${messageOf(error)}`)
  process.exit(exitCode.failed)
})

/** What may still go on after a command, such as cancelling a job at a service that is gone, gets this long. */
const GRACE_MS = 3_000

/** Ends with an exit code: by itself, or after `grace` milliseconds if something still waits and standard output has been read. */
function end(code: number, grace = GRACE_MS): void {
  process.exitCode = code
  const force = () => {
    if (process.stdout.writableLength === 0) process.exit(code)
    setTimeout(force, GRACE_MS).unref()
  }
  setTimeout(force, grace).unref()
}

const stopping = new AbortController()
let interrupted: number | undefined
for (const [signal, code] of [
  ['SIGINT', exitCode.interrupted],
  ['SIGTERM', exitCode.terminated],
] as const) {
  process.on(signal, () => {
    interrupted = code
    stopping.abort(new Error('interrupted'))
    end(code)
  })
}

const words = process.argv.slice(2)
// The window's program, where a package has one beside the launcher.
const { REFILE_WINDOW: window } = process.env
delete process.env.REFILE_WINDOW

try {
  if (window && isForWindow(words, commandNames()))
    spawn(window, words, { detached: true, stdio: 'ignore' }).unref()
  else finish(await runCommand(words, programs, stopping.signal))
} catch (error) {
  if (interrupted === undefined) say(`refile: ${messageOf(error)}`)
  finish(exitCodeOf(error))
}

/** Ends after the command; of one that was interrupted, an upload that is read to its end is all that can remain. */
function finish(code: number): void {
  if (interrupted === undefined) end(code)
  else end(interrupted, 0)
}
