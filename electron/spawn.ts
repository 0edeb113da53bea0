import { utilityProcess } from 'electron'
import { HEAP_MEGABYTES, type Spawn } from '../service/workers/spawn.ts'
import { killTree } from './process-tree.ts'

/**
 * Spawns workers as Electron's utility processes, since `child_process.fork` needs the RunAsNode fuse, which is off.
 * Only after the app is ready.
 */
export const spawnUtility: Spawn = (entry, env) => {
  const child = utilityProcess.fork(entry, [], {
    env,
    stdio: 'ignore',
    serviceName: 'Refile worker',
    execArgv: [`--js-flags=--max-old-space-size=${HEAP_MEGABYTES}`],
  })
  const kill = () => {
    // Before it runs it has no id; killing it then would do nothing and leave it behind.
    if (child.pid === undefined) child.once('spawn', kill)
    else killTree(child.pid)
  }
  return {
    get pid() {
      return child.pid
    },
    post: message => child.postMessage(message),
    kill,
    onMessage: listener => void child.on('message', listener),
    onExit: listener => void child.once('exit', code => listener(code, null)),
  }
}
