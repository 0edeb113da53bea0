import { mkdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Sessions } from './app/sessions.ts'
import { Batches } from './batches/batches.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { measuring } from './catalogue/engines.ts'
import { type Config, LAST_PORT, loadConfig, modelsFolder, SettingError } from './config.ts'
import { converters } from './converters/index.ts'
import { Accounts } from './credits/accounts.ts'
import { ApiKeys } from './credits/keys.ts'
import { Ledger } from './credits/ledger.ts'
import { inUrl } from './http/hosts.ts'
import { buildServer } from './http/server.ts'
import { UrlFetcher } from './intake/fetch/fetcher.ts'
import { StagedFiles } from './intake/staged.ts'
import { Jobs } from './jobs/jobs.ts'
import { JobRunner, placesFor } from './jobs/runner.ts'
import { createLog } from './log.ts'
import { SpeechModels } from './models/models.ts'
import { createOutbound, type Outbound } from './net/outbound.ts'
import { Retention } from './retention/retention.ts'
import { announce } from './running.ts'
import type { Services } from './services.ts'
import { openEmbeddedStores } from './storage/embedded.ts'
import { hostId } from './storage/host-id.ts'
import { makePrivate } from './storage/private-folder.ts'
import { Cleanup } from './stores/cleanup.ts'
import { WebhookDeliverer } from './webhooks/deliverer.ts'
import { EngineReports } from './workers/engine-reports.ts'
import { workerEnvironment } from './workers/environment.ts'
import { memoryBudgetBytes } from './workers/memory-budget.ts'
import { WorkerPool } from './workers/pool.ts'
import { type Spawn, spawnNode } from './workers/spawn.ts'

export interface ServiceOptions extends Partial<Config> {
  /** How worker processes are started; plain Node processes by default. */
  spawn?: Spawn
  /** The worker script. */
  workerEntry: string
  /** Folder of the built page; without it only the API is served. */
  rendererFolder?: string
  /** Folder of fonts and profiles that ship beside the code. */
  resourcesFolder?: string
  log?: Logger
  /** How the internet is reached; the guarded client by default. */
  outbound?: Outbound
  /** What remembers everything; SQLite and files in the data folder by default. */
  openStores?: typeof openEmbeddedStores
}

export interface RunningService {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** An address that opens the app once, signed in as the owner. */
  openUrl(): Promise<string>
  /** A new API key of the owner, seen here and never again. */
  createKey(name: string): Promise<string>
  /** The same, in place of every key of this name. */
  replaceKey(name: string): Promise<string>
  services: Services
  /** Stops taking requests, stops workers, closes the stores. Jobs that ran go on at the next start. */
  close(): Promise<void>
}

/** The contract's places of an account in the queue; batches leave some of them to other submissions. */
const QUEUE_LIMITS = { openPerAccount: 18, openFromBatches: 12, runningPerAccount: 6 }
/** Files measured at once at intake. */
const MEASURED_AT_ONCE = 2
/** Ports tried after the wanted one. */
const PORT_ATTEMPTS = 50
/** Time between two starts of worker processes. */
const START_INTERVAL_MS = 50
const ENGINES_TIMEOUT_MS = 30_000

/** Assembles and starts the conversion service. What was begun is undone when a later step fails. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const {
    spawn = spawnNode,
    workerEntry,
    rendererFolder,
    resourcesFolder,
    log = createLog(options),
    outbound: givenOutbound,
    openStores = openEmbeddedStores,
    ...overrides
  } = options
  const config = loadConfig(overrides)
  const outbound = givenOutbound ?? createOutbound(config)
  const folder = (name: string) => join(config.home, name)
  const onError = (error: unknown, jobId?: string) => log.error({ err: error, jobId }, 'something failed')
  await makePrivate(config.home, error => log.warn({ err: error }, 'the data folder is not private')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new SettingError(`The data folder ${config.home} cannot be written to (${error.code}).`, {
        cause: error,
      })
    },
  )

  await using starting = new AsyncDisposableStack()
  const stores = starting.use(await openStores(config.home, QUEUE_LIMITS, onError))
  await Promise.all(
    [folder('incoming'), folder('scratch')].map(async path => {
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { mode: 0o700 })
    }),
  )
  const catalogue = new Catalogue(converters)
  const pool = new WorkerPool(spawn, {
    entry: workerEntry,
    env: workerEnvironment(config, resourcesFolder, folder('scratch')),
    places: { convert: placesFor(config.slots), measure: MEASURED_AT_ONCE },
    memoryBudgetBytes: config.memoryBudgetMegabytes * 2 ** 20 || memoryBudgetBytes(),
    memoryLimitBytes: config.memoryLimitMegabytes * 2 ** 20,
    idleMs: config.workerIdleSeconds * 1000,
    startIntervalMs: START_INTERVAL_MS,
    log,
  })
  starting.defer(() => pool.close())

  const cleanup = new Cleanup(stores.blobs, onError)
  const runner = new JobRunner({
    store: stores.jobs,
    blobs: stores.blobs,
    events: stores.events,
    cleanup,
    pool,
    catalogue,
    config,
    owner: await hostId(config.home),
    scratch: folder('scratch'),
    onError,
  })
  starting.defer(() => runner.stop())
  const retention = new Retention({
    stores,
    cleanup,
    retentionMs: config.retentionSeconds * 1000,
    onError,
  })
  starting.defer(() => retention.stop())
  const models = new SpeechModels({
    folder: modelsFolder(config),
    others: config.models ? [config.models] : [],
    outbound,
  })
  starting.defer(() => models.close())
  const accounts = new Accounts(stores.accounts, config)
  const keys = new ApiKeys(stores.accounts)
  const sessions = new Sessions(stores.accounts)
  let address = { host: config.host, port: config.port }
  const url = () => `http://${inUrl(address.host)}:${address.port}`
  const engines = new EngineReports(() =>
    pool.run('engines', null, { engine: measuring, lane: 'report', timeoutMs: ENGINES_TIMEOUT_MS }),
  )
  const jobs = new Jobs({ store: stores.jobs, blobs: stores.blobs, events: stores.events, runner, cleanup })
  const files = new StagedFiles(stores.files, stores.blobs)
  const batches = new Batches({
    stores,
    jobs,
    files,
    conversions: { catalogue, config },
    config,
    limits: QUEUE_LIMITS,
    onError,
  })
  starting.defer(() => batches.stop())
  const webhooks = new WebhookDeliverer({
    stores,
    outbound,
    publicUrl: () => config.publicUrl ?? url(),
    onError,
  })
  starting.defer(() => webhooks.stop())
  const services: Services = {
    config,
    log,
    catalogue,
    stores,
    accounts,
    keys,
    ledger: new Ledger(stores.accounts),
    sessions,
    jobs,
    files,
    fetcher: new UrlFetcher({ outbound, folder: folder('incoming') }),
    batches,
    webhooks,
    models,
    pool,
    incoming: folder('incoming'),
    engines,
    url,
  }

  const owner = await accounts.owner()
  const { requeued, interrupted } = await runner.start()
  if (requeued.length + interrupted.length > 0) {
    const ids = { requeued: requeued.map(({ id }) => id), interrupted: interrupted.map(({ id }) => id) }
    log.info(ids, 'recovered interrupted jobs')
  }
  await retention.start({ alone: true })
  await batches.start()

  const server = await buildServer(services, () => address, rendererFolder)
  starting.defer(() => server.close())
  await listen(port => server.listen({ host: config.host, port }), config.port)
  address = { host: config.host, port: (server.server.address() as AddressInfo).port }
  const openUrl = async () => `${url()}/open?token=${await sessions.issueLink(owner.id)}`
  starting.defer(await announce(config.home, { url: url(), pid: process.pid }, openUrl))
  webhooks.start()
  log.info({ url: url(), home: config.home }, 'Refile is listening')

  const started = starting.move()
  let closing: Promise<void> | undefined
  return {
    url: url(),
    openUrl,
    createKey: async name => (await keys.create(owner.id, { name })).secret,
    replaceKey: async name => (await keys.replace(owner.id, { name })).secret,
    services,
    close: () => {
      closing ??= started.disposeAsync()
      return closing
    },
  }
}

/** What the system says of an address or port that cannot be listened on, in a sentence about the setting. */
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
