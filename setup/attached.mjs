import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './root.mjs'

/** Milliseconds a child has to stop before it is killed; the service promises to stop within 5 s. */
const GRACE = 4700

/**
 * Runs a program as if it had taken this process's place: signals reach it, its exit code is ours, and it does not
 * outlive us. Node children get a channel that closes when we die, however we die; they stop on `disconnect`.
 * @param {string} command
 * @param {string[]} args
 * @param {{ stdout?: (text: string) => void, channel?: boolean }} [options]
 *   stdout: receives what the child prints instead of our stdout; channel: false for programs that are not Node
 * @returns {Promise<number>} exit code; 128 + the signal's number when a signal ended it, as shells have it
 */
export function runAttached(command, args, { stdout, channel = true } = {}) {
  const child = spawn(command, args, {
    cwd: root,
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
    if (!asked) setTimeout(() => child.kill('SIGKILL'), GRACE).unref()
    asked = true
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => stop(signal))
  }
  // Our own parent is a bootstrap with a channel, or npm, of whose death only a new parent id tells.
  if (process.channel) {
    process.once('disconnect', () => stop('SIGTERM'))
    process.channel.unref()
  } else if (process.env.npm_lifecycle_event && process.platform !== 'win32') {
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500).unref()
  }

  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 0)))
  })
}
