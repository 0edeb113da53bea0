import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** A running worker process, whatever platform it was started by. */
export interface WorkerProcess {
  readonly pid: number | undefined
  post(message: unknown): void
  /** Ends it at once, together with every program it started. */
  kill(): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (code: number | null, signal: string | null) => void): void
}

/** Starts the worker script `entry` with exactly the environment `env`. */
export type Spawn = (entry: string, env: Record<string, string>) => WorkerProcess

/** V8's heap of one worker; pixels and engine memory live outside it and are watched by the pool. */
export const HEAP_MEGABYTES = 2048

/** Spawns workers as plain Node processes, each leading a process group of its own so that one signal ends all. */
export const spawnNode: Spawn = (entry, env) => {
  const child = fork(entry, [], {
    env,
    // A group of its own. Windows has none; there libuv's job object takes children along, unless detached.
    detached: process.platform !== 'win32',
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  yieldToHost(child.pid)
  // A worker that dies while a message is on its way makes the channel fail; its exit tells the same.
  child.on('error', () => {})
  return {
    get pid() {
      return child.pid
    },
    post: message => void child.send(message as object, () => {}),
    kill: () => killGroup(child.pid),
    onMessage: listener => void child.on('message', listener),
    onExit: listener => void child.once('exit', listener),
  }
}

/** Conversions give way to the service and to whatever else the person is doing. */
function yieldToHost(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not allowed here; the worker then runs like any other process.
  }
}

/** SIGKILLs a process group; on Windows the process, whose job object ends its children. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
