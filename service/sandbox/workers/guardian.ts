import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * A process outside of every worker that SIGKILLs them all, with every program they started, as soon as this process is gone, however
 * it ended: a worker, busy or taken over, need do nothing for it. Parent-death signals (prctl(2)) would only reach the workers
 * themselves, only on Linux, and a program of theirs could leave its own out.
 *
 * It reads a pipe whose other end only this process has: `+ID` and `-ID` for each group that begins and ends. When the pipe ends,
 * so do the groups. In a group of its own, it outlives what a terminal sends to this process.
 */
const SCRIPT = `
groups=' '
while read -r change; do
  group="\${change#?}"
  case "$change" in
    +*) groups="$groups$group " ;;
    -*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group" || kill -KILL "$group"; done
`

let watchdog: ChildProcess | undefined
const groups = new Set<number>()

const send = (line: string) => void watchdog?.stdin?.write(`${line}\n`)

function start(): void {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  })
  const leave = () => {
    if (watchdog === child) watchdog = undefined
  }
  child.once('error', leave).once('exit', leave).unref()
  child.stdin.on('error', () => {})
  ;(child.stdin as Socket).unref()
  watchdog = child
  for (const group of groups) send(`+${group}`)
}

/**
 * Has the worker `pid` end with this process, and the process group that it leads, if it leads one. Windows needs none of it: libuv
 * puts what a process starts into a job object that ends with the process.
 */
export function guard(pid: number): void {
  if (process.platform === 'win32') return
  groups.add(pid)
  if (watchdog) send(`+${pid}`)
  else start()
}

/** The group has ended; the system may give its id to another. */
export function unguard(pid: number): void {
  if (groups.delete(pid)) send(`-${pid}`)
}
