import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { utilityProcess } from 'electron'
import { WORKER_HEAP_MEGABYTES } from '../service/sandbox/process-settings.ts'
import { guard, unguard } from '../service/sandbox/workers/guardian.ts'
import { tailOf } from '../service/sandbox/workers/output-tail.ts'
import { killTree } from '../service/sandbox/workers/process-tree.ts'
import { type Exit, type Spawn, STDERR_DRAIN_MS } from '../service/sandbox/workers/spawn.ts'

/**
 * Spawns workers as Electron's utility processes, since `child_process.fork` needs the RunAsNode fuse, which is off.
 * Works only after the app is ready.
 */
export const spawnUtility: Spawn = (entry, env, args = []) => {
  const child = utilityProcess.fork(entry, args, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    serviceName: 'Refile worker',
    execArgv: [`--js-flags=--max-old-space-size=${WORKER_HEAP_MEGABYTES}`],
  })
  const { promise: spawned, resolve: onSpawn } = Promise.withResolvers<void>()
  const { promise: exited, resolve: onEnd } = Promise.withResolvers<Exit>()
  let pid: number | undefined
  child.once('spawn', () => {
    pid = child.pid
    if (pid !== undefined) guard(pid)
    onSpawn()
  })
  child.once('exit', code => {
    const error = pid === undefined ? new Error(`The process could not be started (${code}).`) : undefined
    onEnd({ code, signal: null, ...(error ? { error } : {}) })
  })
  const stderr = tailOf(child.stderr as Readable | null)
  return {
    get pid() {
      return child.pid
    },
    post: message => child.postMessage(message),
    kill: async () => {
      // Before it runs it has no id; killing it then would do nothing and leave it behind.
      await Promise.race([spawned, exited])
      if (child.pid !== undefined) await killTree(child.pid)
      if (pid !== undefined) unguard(pid)
      await Promise.race([stderr.ended, setTimeout(STDERR_DRAIN_MS, undefined, { ref: false })])
    },
    printed: stderr.text,
    onMessage: listener => void child.on('message', listener),
    onExit: listener => void exited.then(listener),
  }
}
