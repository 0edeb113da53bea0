import { fork } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { loadLibc } from '../confinement/libc.ts'
import { denyIoUring } from '../confinement/system-calls.ts'
import { WORKER_HEAP_MEGABYTES } from '../process-settings.ts'
import { guard, unguard } from './guardian.ts'
import { tailOf } from './output-tail.ts'
import { IN_BACKGROUND, lowerPriorityOf } from './priority.ts'
import { killGroup } from './process-tree.ts'

/** How a worker process ended. */
export interface Exit {
  code: number | null
  signal: string | null
  /** Why the process never ran, if it could not be started. */
  error?: Error
}

/** A running worker process, on any platform. */
export interface WorkerProcess {
  readonly pid: number | undefined
  post(message: unknown): void
  /** Ends it at once, with every program it started; resolves when all of them are gone. */
  kill(): Promise<void>
  /** The last output on stderr. */
  printed(): string
  onMessage(listener: (message: unknown) => void): void
  /** The listener is called exactly once, even if the process could not be started. */
  onExit(listener: (exit: Exit) => void): void
}

/**
 * Starts the worker script `entry` with exactly the environment `env`.
 * @param args IN_BACKGROUND or nothing
 * @throws when the system refuses at once; if it refuses later, `onExit` reports it
 */
export type Spawn = (entry: string, env: Record<string, string>, args?: string[]) => WorkerProcess

/** How long to wait for the last output of a dead process. */
export const STDERR_DRAIN_MS = 200

let isPrepared = false

/** Before the first worker; it also keeps what this process starts from gaining privileges, which nothing here needs. */
function prepare(): void {
  if (isPrepared || process.platform !== 'linux') return
  isPrepared = true
  try {
    denyIoUring(loadLibc())
  } catch {
    // Workers then have rings, as those of the app do.
  }
}

/** Spawns workers as plain Node processes, each leading its own process group, so that one signal ends all of it. */
export const spawnNode: Spawn = (entry, env, args = []) => {
  prepare()
  const child = fork(entry, args, {
    env,
    execArgv: [`--max-old-space-size=${WORKER_HEAP_MEGABYTES}`, '--disable-warning=ExperimentalWarning'],
    // Creates a process group. Windows has none; there libuv's job object ends the children too, unless detached.
    detached: process.platform !== 'win32',
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid !== undefined) {
    guard(child.pid)
    if (args.includes(IN_BACKGROUND)) lowerPriorityOf(child.pid)
  }
  const { promise: exited, resolve } = Promise.withResolvers<Exit>()
  child.once('exit', (code, signal) => resolve({ code, signal }))
  child.on('error', error => {
    // If a running worker dies while a message is being sent, the channel fails too; its exit reports the same.
    if (child.pid === undefined) resolve({ code: null, signal: null, error })
  })
  const stderr = tailOf(child.stderr)
  return {
    get pid() {
      return child.pid
    },
    post: message => void child.send(message as object, () => {}),
    kill: async () => {
      if (child.pid === undefined) return
      if (process.platform === 'win32') {
        child.kill('SIGKILL')
        await exited
      } else {
        await killGroup(child.pid)
        unguard(child.pid)
      }
      await Promise.race([stderr.ended, setTimeout(STDERR_DRAIN_MS, undefined, { ref: false })])
    },
    printed: stderr.text,
    onMessage: listener => void child.on('message', listener),
    onExit: listener => void exited.then(listener),
  }
}
