import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { assemble } from './assembly.ts'
import { type Config, LAST_PORT, loadConfig, SettingError } from './config.ts'
import { assembleCore, type Parts } from './core.ts'
import { inUrl } from './http/hosts.ts'
import { buildServer } from './http/server.ts'
import { createLog } from './log.ts'
import { announce } from './running.ts'
import type { Services } from './services.ts'

export interface ServiceOptions extends Partial<Config>, Parts {
  /** Folder of the built page; without it only the API is served. */
  rendererFolder?: string
  log?: Logger
}

/** A running host of any role. */
export interface RunningHost {
  /** Accepts no more requests or jobs, and waits for running ones: at most `graceMs`, or until the signal aborts. */
  drain(graceMs: number, signal: AbortSignal): Promise<void>
  /**
   * Stops accepting requests, stops workers, closes the stores. Running jobs continue at the next start; after a drain they are
   * back in the queue.
   */
  close(): Promise<void>
}

export interface RunningService extends RunningHost {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** A URL that opens the app once, signed in as the owner. */
  openUrl(): Promise<string>
  /** A new API key of the owner, returned only here. */
  createKey(name: string): Promise<string>
  /** The same, replacing every key with this name. */
  replaceKey(name: string): Promise<string>
  services: Services
}

/** How many ports are tried after the requested one. */
const PORT_ATTEMPTS = 50

/** How often a worker retries failed deletes. */
const CLEANUP_INTERVAL_MS = 30_000

/**
 * Assembles and starts the conversion service. What was started is undone if a later step fails.
 * @throws SettingError if the role is that of a worker, which serves no requests
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, log, parts, rendererFolder } = settle(options)
  if (config.role === 'worker') throw new SettingError('A host with the role worker serves no requests.')
  let address = { host: config.host, port: config.port }
  const url = () => `http://${inUrl(address.host)}:${address.port}`

  await using starting = new AsyncDisposableStack()
  const { services, sessions, owner, drain } = starting.use(await assemble(config, log, url, parts))
  const server = await buildServer(services, () => address, rendererFolder)
  starting.defer(() => server.close())
  await listen(port => server.listen({ host: config.host, port }), config.port)
  address = { host: config.host, port: (server.server.address() as AddressInfo).port }
  const openUrl = async () => `${url()}/open?token=${await sessions.issueLink(owner.id)}`
  starting.defer(await announce(config.home, { url: url(), pid: process.pid }, openUrl))
  services.webhooks.start()
  log.info({ url: url(), home: config.home }, 'Refile is listening')

  return {
    url: url(),
    openUrl,
    createKey: async name => (await services.keys.create(owner.id, { name })).secret,
    replaceKey: async name => (await services.keys.replace(owner.id, { name })).secret,
    services,
    drain,
    close: closeOnce(starting.move()),
  }
}

/**
 * Starts a host that only runs jobs: no port, no page, no webhooks, no batches, and no sweeps of what the hosts share, which the
 * hosts that serve requests handle.
 */
export async function startWorker(options: ServiceOptions): Promise<RunningHost> {
  const { config, log, parts } = settle(options)
  await using starting = new AsyncDisposableStack()
  const { begin, cleanup, runner } = starting.use(await assembleCore(config, log, parts))
  await begin()
  // It also keeps the process alive, which has no other handle left while the database is out of reach.
  const retrying = setInterval(() => void cleanup.retry(), CLEANUP_INTERVAL_MS)
  starting.defer(() => clearInterval(retrying))
  log.info({ home: config.home }, 'Refile takes jobs')
  return {
    drain: (graceMs, signal) => runner.drain(graceMs, signal),
    close: closeOnce(starting.move()),
  }
}

/** Separates the options of a service. */
function settle(options: ServiceOptions) {
  const { rendererFolder, log = createLog(options), ...others } = options
  const { spawn, workerEntry, resourcesFolder, isApp, outbound, openStores, leaseMs, ...overrides } = others
  const parts: Parts = { spawn, workerEntry, resourcesFolder, isApp, outbound, openStores, leaseMs }
  return { config: loadConfig(overrides), log, parts, rendererFolder }
}

function closeOnce(started: AsyncDisposableStack): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => {
    closing ??= started.disposeAsync()
    return closing
  }
}

/** The system's error for an address or port that cannot be listened on, as a sentence about the setting. */
const listenProblems = new Map<string | undefined, string>([
  ['EADDRNOTAVAIL', 'REFILE_HOST is not an address of this machine.'],
  ['EINVAL', 'REFILE_HOST is not an address of this machine.'],
  ['ENOTFOUND', 'REFILE_HOST is not an address of this machine.'],
  ['EACCES', 'The port may not be listened on by this user. Choose one from 1024 on.'],
])

/** Listens on `wanted`, or the next free port after it; 0 lets the system choose. */
async function listen(attempt: (port: number) => Promise<unknown>, wanted: number): Promise<void> {
  for (let port = wanted; ; port++) {
    try {
      await attempt(port)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const problem = listenProblems.get(code)
      if (problem !== undefined) throw new SettingError(problem, { cause: error })
      if (code !== 'EADDRINUSE' || wanted === 0) throw error
      if (port - wanted >= PORT_ATTEMPTS || port === LAST_PORT) {
        throw new SettingError(`No port from ${wanted} to ${port} is free.`, { cause: error })
      }
    }
  }
}
