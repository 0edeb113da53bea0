import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { root } from './root.mjs'

/** How long a child may take to stop before it is killed; the service promises to stop within 5 s. */
const GRACE_MS = 4700
/** How long the service lets jobs finish before that. */
const drainMs = 1000 * (Number(process.env.REFILE_DRAIN_SECONDS) || 0)

/**
 * The npm process that runs this script, or whichever process adopted this one. On Linux there may be a shell in
 * between, which survives npm and does not pass on signals.
 */
function npmProcess() {
  const parent = process.ppid
  try {
    const [, command, ancestor] =
      readFileSync(`/proc/${parent}/stat`, 'utf8').match(/\((.*)\) \S+ (\d+)/s) ?? []
    return command?.endsWith('sh') ? `${parent} ${ancestor}` : `${parent}`
  } catch {
    return `${parent}`
  }
}

/**
 * Runs a program as if it had taken this process's place: it gets our signals, we exit with its exit code, and it does not
 * outlive us. Node children get a channel that closes when we die, however we die; they stop on `disconnect`.
 * @param {string} command
 * @param {string[]} args
 * @param {{ stdout?: (text: string) => void, channel?: boolean, env?: Record<string, string>, graceMs?: number }} [options]
 * stdout: receives what the child prints, instead of our stdout; channel: false for programs that are not Node;
 * env: variables in addition to ours; graceMs: how long it may take to stop
 * @returns {Promise<number>} exit code; 128 + the signal's number if a signal ended it, as in shells
 */
export function runAttached(
  command,
  args,
  { stdout, channel = true, env = {}, graceMs = GRACE_MS + drainMs } = {},
) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: [
      'inherit',
      stdout ? 'pipe' : 'inherit',
      'inherit',
      ...(channel ? [/** @type {const} */ ('ipc')] : []),
    ],
  })
  child.stdout?.setEncoding('utf8').on('data', text => stdout?.(text))

  let asked = false
  /** @param {NodeJS.Signals} signal */
  const stop = signal => {
    child.kill(signal)
    if (!asked) setTimeout(() => child.kill('SIGKILL'), graceMs).unref()
    asked = true
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => stop(signal))
  }
  // Our own parent is a bootstrap with a channel, or npm, whose death triggers no event.
  if (process.channel) {
    process.once('disconnect', () => stop('SIGTERM'))
    process.channel.unref()
  } else if (process.env.npm_lifecycle_event) {
    const npm = npmProcess()
    setInterval(() => npmProcess() !== npm && stop('SIGTERM'), 250).unref()
  }

  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 0)))
  })
}
