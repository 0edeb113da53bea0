import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { type Config, loadConfig, SettingError } from '../shared/config.ts'
import { hostId } from '../store/host-id.ts'
import { METRICS_TYPE, metricsOf } from '../web/api/metrics.ts'
import { inUrl } from '../web/http/hosts.ts'
import { buildServer } from '../web/http/server.ts'
import type { Services } from '../web/services.ts'
import { assemble } from './assembly.ts'
import { assembleCore, type Core, type Parts } from './core.ts'
import { listen } from './listen.ts'
import { createLog } from './log.ts'
import { announce } from './running.ts'

export interface ServiceOptions extends Partial<Config>, Parts {
  /** Folder of the built page; without it only the API is served. */
  rendererFolder?: string
  log?: Logger
}

/** A running host of any role. */
export interface RunningHost {
  /** Accepts no more requests or jobs, and waits for running ones: at most `graceMs`, or until the signal aborts. */
  drain(graceMs: number, signal: AbortSignal): Promise<void>
  /** Says that an error broke this process, so that what it is running counts as interrupted. */
  noteCrash(): void
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

/** How often a worker retries failed deletes. */
const CLEANUP_INTERVAL_MS = 30_000

/**
 * Assembles and starts the conversion service. What was started is undone if a later step fails.
 * @throws SettingError if the role is that of a worker, which serves no requests
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { rendererFolder, log = createLog(options) } = options
  const config = loadConfig(options)
  if (config.role === 'worker') throw new SettingError('A host with the role worker serves no requests.')
  let address = { host: config.host, port: config.port }
  const url = () => `http://${inUrl(address.host)}:${address.port}`

  await using starting = new AsyncDisposableStack()
  const { services, sessions, owner, drain, noteCrash } = starting.use(
    await assemble(config, log, url, options),
  )
  const server = await buildServer(services, () => address, rendererFolder)
  starting.defer(() => server.close())
  await listen(port => server.listen({ host: config.host, port }), config.port)
  address = { host: config.host, port: (server.server.address() as AddressInfo).port }
  const openUrl = async () => `${url()}/open?token=${await sessions.openingLink(owner.id)}`
  starting.defer(await announce(config.home, { url: url(), pid: process.pid }, openUrl))
  services.webhooks.start()
  await services.watching.start()
  // Before the server closes, which they are clients of.
  starting.defer(() => services.watching.stop())
  log.info({ url: url(), home: config.home }, 'Refile is listening')

  return {
    url: url(),
    openUrl,
    createKey: async name => (await services.keys.create(owner.id, { name })).secret,
    replaceKey: async name => {
      // Hosts of one database would otherwise revoke each other's.
      const own = services.stores.isShared ? `${name} (host ${await hostId(config.home)})` : name
      return (await services.keys.replace(owner.id, { name: own })).secret
    },
    services,
    drain,
    noteCrash,
    close: closeOnce(starting.move()),
  }
}

/**
 * Starts a host that only runs jobs: no port but for metrics, no page, no webhooks, no batches, and no sweeps of what the hosts share, which the
 * hosts that serve requests handle.
 */
export async function startWorker(options: ServiceOptions): Promise<RunningHost> {
  const { log = createLog(options) } = options
  const config = loadConfig(options)
  await using starting = new AsyncDisposableStack()
  const core = starting.use(await assembleCore(config, log, options))
  const { begin, cleanup, runner } = core
  await begin()
  if (config.metrics) starting.use(await serveMetrics(config, core))
  // It also keeps the process alive, which has no other handle left while the database is out of reach.
  const retrying = setInterval(() => void cleanup.retry(), CLEANUP_INTERVAL_MS)
  starting.defer(() => clearInterval(retrying))
  log.info({ home: config.home }, 'Refile takes jobs')
  return {
    drain: (graceMs, signal) => runner.drain(graceMs, signal),
    noteCrash: () => runner.noteCrash(),
    close: closeOnce(starting.move()),
  }
}

/** The one thing that a worker is asked for, without which nobody would count what it does. */
async function serveMetrics(config: Config, core: Core): Promise<AsyncDisposable> {
  const server = createServer((request, reply) => {
    if (request.url !== '/metrics') return void reply.writeHead(404).end()
    metricsOf(core).then(
      text => reply.setHeader('content-type', METRICS_TYPE).end(text),
      () => reply.writeHead(503).end(),
    )
  })
  await listen(async port => {
    server.listen(port, config.host)
    await once(server, 'listening')
  }, config.port)
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function closeOnce(started: AsyncDisposableStack): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => {
    closing ??= started.disposeAsync()
    return closing
  }
}
