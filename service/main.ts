/**
 * The service alone: `--port N`, `--home DIR`, `--role all|api|worker`, `--print-key`, `--open`. When it is ready it prints one
 * line of JSON on stdout; everything else goes to stderr. With `migrate` as the first word, it copies a data folder to a database
 * instead.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Arguments, readArguments } from './host/arguments.ts'
import type { RunningHost, ServiceOptions } from './host/host.ts'
import { createLog, logUncaught } from './host/log.ts'
import { askRunning } from './host/running.ts'
import { loadConfig, SettingError } from './shared/config.ts'
import { DatabaseInUse } from './store/sqlite/database.ts'

/** Exit code for an invalid flag or setting, as usual for Unix programs. */
const WRONG_USE = 2
/** After this time a stop is forced; a clean one takes less. */
const STOP_TIMEOUT_MS = 4_500

/** Whether this runs from the bundle in dist/service rather than from the sources. */
const bundled = !import.meta.filename.endsWith('.ts')
const here = import.meta.dirname
const root = bundled ? join(here, '..', '..') : join(here, '..')

async function main({ printKey, open, ...overrides }: Arguments): Promise<void> {
  const log = createLog()
  // Settings are validated before the service is loaded, so that an error is reported at once.
  const { drainSeconds, role } = loadConfig(overrides)
  if (role === 'worker' && (printKey || open)) {
    throw new SettingError('A worker serves neither a page nor requests: leave out --open and --print-key.')
  }
  let stop: Stop = () => process.exit(1)
  // Whoever supervises the service starts it again; until then it keeps what it was doing as after any other stop.
  logUncaught(log, () => stop(1))
  const { startService, startWorker } = await import('./host/host.ts')
  const renderer = join(root, 'dist', 'renderer')
  const options: ServiceOptions = {
    ...overrides,
    // Opened with its page, it is the app, only without its own window.
    isApp: open,
    workerEntry: bundled ? join(here, 'worker.js') : join(here, 'sandbox/workers/entry.ts'),
    ...(existsSync(renderer) ? { rendererFolder: renderer } : {}),
    resourcesFolder: join(root, 'resources'),
    log,
  }
  if (role === 'worker') {
    stop = stopOnSignals(await startWorker(options), drainSeconds, log)
    return printReady({ pid: process.pid, role })
  }
  const service = await startService(options)
  stop = stopOnSignals(service, drainSeconds, log)
  printReady({
    url: service.url,
    pid: process.pid,
    ...(printKey ? { apiKey: await service.replaceKey('Printed at start') } : {}),
    ...(open ? { pageUrl: await service.openUrl() } : {}),
  })
}

/** The one line on stdout that says that the service is ready. */
const printReady = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** Ends the process cleanly, with the given exit code or 0. */
type Stop = (code?: number) => void

/**
 * Ends the process cleanly on a signal; SIGTERM drains first if the settings allow time for that.
 * @returns the same for other reasons
 */
function stopOnSignals(host: RunningHost, drainSeconds: number, log: Logger): Stop {
  let stopping = false
  const stopped = new AbortController()
  const stop = (code = 0) => {
    if (stopping) return
    stopping = true
    stopped.abort()
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    host.close().then(
      () => process.exit(code),
      error => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  let draining = false
  process.on('SIGTERM', () => {
    // A second signal ends the waiting.
    if (draining || drainSeconds === 0) return stop()
    draining = true
    log.info({ seconds: drainSeconds }, 'finishing what runs')
    host.drain(drainSeconds * 1000, stopped.signal).then(
      () => stop(),
      () => stop(),
    )
  })
  process.on('SIGINT', () => stop())
  // If a script of ours started this process, it must not outlive the script.
  process.on('disconnect', () => stop())
  return stop
}

async function failed(error: unknown, words?: Arguments): Promise<number> {
  // Started a second time: the running service opens the page again.
  const running =
    words?.open && error instanceof DatabaseInUse
      ? await askRunning(words.home ?? loadConfig().home)
      : undefined
  if (running) {
    process.stdout.write(`${JSON.stringify(running)}\n`)
    return 0
  }
  return refused('start', error)
}

/** Reports why nothing was done, and returns the exit code. */
function refused(what: string, error: unknown): number {
  process.stderr.write(
    `Refile could not ${what}: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  return error instanceof SettingError ? WRONG_USE : 1
}

/** The command `migrate`; its report goes to stdout. */
async function migrate(args: string[]): Promise<void> {
  // If a script of ours started this process, it must not outlive the script.
  process.on('disconnect', () => process.exit(1))
  process.channel?.unref()
  const { readMigrateArguments, runMigrate } = await import('./store/migrate/command.ts')
  await runMigrate(readMigrateArguments(args), loadConfig(), line => process.stdout.write(`${line}\n`))
}

const [command, ...rest] = process.argv.slice(2)
if (command === 'migrate') {
  await migrate(rest).catch(error => {
    process.exitCode = refused('migrate', error)
  })
} else {
  let words: Arguments | undefined
  try {
    words = readArguments(process.argv.slice(2))
    await main(words)
  } catch (error) {
    process.exit(await failed(error, words))
  }
}
