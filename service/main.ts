/**
 * The service by itself: `--port N`, `--home DIR`, `--print-key`, `--open`. When it is ready it prints one line
 * of JSON on stdout; everything else goes to stderr.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from './config.ts'
import { startService } from './host.ts'
import { createLog } from './log.ts'
import { askRunning } from './running.ts'
import { DatabaseInUse } from './storage/sqlite/database.ts'

/** After this a stop is forced; a clean one takes less. */
const STOP_TIMEOUT_MS = 4_500

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    home: { type: 'string' },
    'print-key': { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
  },
})

/** Run from the sources, or from the bundle in dist/service. */
const bundled = !import.meta.filename.endsWith('.ts')
const here = import.meta.dirname
const root = bundled ? join(here, '..', '..') : join(here, '..')

function port(): Record<string, number> {
  if (values.port === undefined) return {}
  const number = Number(values.port)
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new Error('--port takes a number from 0 to 65535.')
  return { port: number }
}

async function main(): Promise<void> {
  const log = createLog()
  const renderer = join(root, 'dist', 'renderer')
  const service = await startService({
    ...port(),
    ...(values.home === undefined ? {} : { home: values.home }),
    workerEntry: bundled ? join(here, 'worker.js') : join(here, 'workers', 'entry.ts'),
    ...(existsSync(renderer) ? { rendererFolder: renderer } : {}),
    resourcesFolder: join(root, 'resources'),
    log,
  })
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    service.close().then(
      () => process.exit(0),
      error => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Started by a script of ours, this process must not outlive it.
  process.on('disconnect', stop)
  const line = {
    url: service.url,
    pid: process.pid,
    ...(values['print-key'] ? { apiKey: await service.createKey('Printed at start') } : {}),
    ...(values.open ? { pageUrl: await service.openUrl() } : {}),
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

main().catch(async error => {
  // Opened a second time: the one that runs opens once more.
  const running =
    values.open && error instanceof DatabaseInUse
      ? await askRunning(values.home ?? loadConfig().home)
      : undefined
  if (running) {
    process.stdout.write(`${JSON.stringify(running)}\n`)
    process.exit(0)
  }
  process.stderr.write(`Refile could not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
