/**
 * The service alone: `--port N`, `--home DIR`, `--role all|api|worker`, `--print-key`, `--open`. When it is ready it prints one
 * line of JSON on stdout; everything else goes to stderr. With `migrate` as the first word, it copies a data folder to a database
 * instead; with `account`, it lists and changes accounts.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Arguments, readArguments } from './host/arguments.ts'
import type { ServiceOptions } from './host/host.ts'
import { createLog, logUncaught } from './host/log.ts'
import { askRunning } from './host/running.ts'
import { stopOnSignals } from './host/stopping.ts'
import { helpOf } from './host/usage.ts'
import { loadConfig, readSettings, SettingError } from './shared/config.ts'
import { DatabaseInUse } from './store/sqlite/database.ts'

/** Exit code for an invalid flag or setting, as usual for Unix programs. */
const WRONG_USE = 2

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
  let crash = (): void => process.exit(1)
  // Whoever supervises the service starts it again.
  logUncaught(log, () => crash())
  const { startService, startWorker } = await import('./host/host.ts')
  // In a package the page is beside the unpacked part of the archive.
  const renderer = [join(root, 'dist', 'renderer'), join(root, '..', 'page')].find(path => existsSync(path))
  const options: ServiceOptions = {
    ...overrides,
    // Opened with its page, it is the app, only without its own window.
    isApp: open,
    workerEntry: bundled ? join(here, 'worker.js') : join(here, 'sandbox/workers/entry.ts'),
    ...(renderer === undefined ? {} : { rendererFolder: renderer }),
    resourcesFolder: join(root, 'resources'),
    log,
  }
  if (role === 'worker') {
    crash = stopOnSignals(await startWorker(options), drainSeconds, log)
    return printReady({ pid: process.pid, role })
  }
  const service = await startService(options)
  crash = stopOnSignals(service, drainSeconds, log)
  printReady({
    url: service.url,
    pid: process.pid,
    ...(printKey ? { apiKey: await service.replaceKey('Printed at start') } : {}),
    ...(open ? { pageUrl: await service.openUrl() } : {}),
  })
}

/** The one line on stdout that says that the service is ready. */
const printReady = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

async function failed(error: unknown, args?: Arguments): Promise<number> {
  // Started a second time: the running service opens the page again.
  const running =
    args?.open && error instanceof DatabaseInUse
      ? await askRunning(args.home ?? loadConfig().home)
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

/** The command `account`; what it prints goes to stdout. */
async function account(args: string[]): Promise<void> {
  const { runAccount } = await import('./host/account-command.ts')
  // Accounts are in the database, so that its address is enough.
  await runAccount(args, readSettings(), line => process.stdout.write(`${line}\n`))
}

const [command, ...rest] = process.argv.slice(2)
const help = helpOf(process.argv.slice(2))
if (help !== undefined) {
  process.stdout.write(`${help}\n`)
} else if (command === 'migrate') {
  await migrate(rest).catch(error => {
    process.exitCode = refused('migrate', error)
  })
} else if (command === 'account') {
  await account(rest).catch(error => {
    process.exitCode = refused('change accounts', error)
  })
} else {
  let args: Arguments | undefined
  try {
    args = readArguments(process.argv.slice(2))
    await main(args)
  } catch (error) {
    process.exit(await failed(error, args))
  }
}
