import { mkdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Sessions } from './app/sessions.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { type Config, loadConfig, modelsFolder } from './config.ts'
import { converters } from './converters/index.ts'
import { Accounts } from './credits/accounts.ts'
import { ApiKeys } from './credits/keys.ts'
import { Ledger } from './credits/ledger.ts'
import type { EngineReport } from './engines/report.ts'
import { buildServer } from './http/server.ts'
import { StagedFiles } from './intake/staged.ts'
import { Jobs } from './jobs/jobs.ts'
import { JobEvents } from './jobs/progress.ts'
import { JobRunner } from './jobs/runner.ts'
import { SqliteJobStore } from './jobs/sqlite-store.ts'
import { createLog } from './log.ts'
import { SpeechModels } from './models/models.ts'
import { createOutbound, type Outbound } from './net/outbound.ts'
import { announce } from './running.ts'
import type { Services } from './services.ts'
import { DiskBlobs } from './storage/blobs.ts'
import { Database } from './storage/database.ts'
import { workerEnvironment } from './workers/environment.ts'
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
}

export interface RunningService {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** An address that opens the app once, signed in as the owner. */
  openUrl(): string
  /** A new API key of the owner, seen here and never again. */
  createKey(name: string): string
  services: Services
  /** Stops taking requests, stops workers, closes the database. Jobs that ran go on at the next start. */
  close(): Promise<void>
}

/** Queued plus running jobs one account may have, and how many of them run at once. */
const OPEN_PER_ACCOUNT = 18
const RUNNING_PER_ACCOUNT = 6
/** Files measured at once at intake. */
const INTAKE_WORKERS = 2
/** Ports tried after the wanted one. */
const PORT_ATTEMPTS = 50
const ENGINES_TIMEOUT_MS = 30_000
const SWEEP_INTERVAL = 60_000

/** Assembles and starts the conversion service. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const {
    spawn = spawnNode,
    workerEntry,
    rendererFolder,
    resourcesFolder,
    log = createLog(options),
    outbound: givenOutbound,
    ...overrides
  } = options
  const config = loadConfig(overrides)
  const folder = (name: string) => join(config.home, name)
  await mkdir(config.home, { recursive: true, mode: 0o700 })
  const database = new Database(folder('refile.sqlite'))
  try {
    await rm(folder('incoming'), { recursive: true, force: true })
    const catalogue = new Catalogue(converters)
    const blobs = new DiskBlobs(folder('blobs'))
    const events = new JobEvents()
    const accounts = new Accounts(database, config)
    const keys = new ApiKeys(database)
    const sessions = new Sessions()
    const poolSettings = {
      entry: workerEntry,
      env: workerEnvironment(config, resourcesFolder, folder('scratch')),
      idleMs: config.workerIdleSeconds * 1000,
      memoryLimitBytes: config.memoryLimitMegabytes * 2 ** 20,
      log,
    }
    const pool = new WorkerPool(spawn, { ...poolSettings, size: config.slots })
    const intakePool = new WorkerPool(spawn, { ...poolSettings, size: INTAKE_WORKERS })
    const store = new SqliteJobStore(database, {
      openPerAccount: OPEN_PER_ACCOUNT,
      runningPerAccount: RUNNING_PER_ACCOUNT,
    })
    const onError = (error: unknown, jobId?: string) =>
      log.error({ err: error, jobId }, 'running a job failed')
    const runner = new JobRunner({
      store,
      blobs,
      pool,
      catalogue,
      events,
      config,
      scratch: folder('scratch'),
      onError,
    })
    const jobs = new Jobs({ store, blobs, runner, events, config })
    const files = new StagedFiles(database, blobs)
    const models = new SpeechModels({
      folder: modelsFolder(config),
      others: config.models ? [config.models] : [],
      outbound: givenOutbound ?? createOutbound(config),
    })
    let address = { host: config.host, port: config.port }
    const url = () =>
      `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
    let reports: Promise<EngineReport[]> | undefined
    const engines = () => {
      reports ??= intakePool.run('engines', null, { timeoutMs: ENGINES_TIMEOUT_MS })
      // An answer is kept; a failure is not, so that the next request asks again.
      reports.catch(() => {
        reports = undefined
      })
      return reports
    }
    const services: Services = {
      config,
      log,
      catalogue,
      accounts,
      keys,
      ledger: new Ledger(database),
      sessions,
      jobs,
      files,
      blobs,
      models,
      intakePool,
      incoming: folder('incoming'),
      engines,
      url,
    }
    const owner = accounts.owner()
    const recovered = await jobs.start(folder('scratch'))
    if (recovered.requeued.length + recovered.interrupted.length > 0)
      log.info(recovered, 'recovered interrupted jobs')
    const server = await buildServer(services, () => address, rendererFolder)
    await listen(port => server.listen({ host: config.host, port }), config.port)
    address = { host: config.host, port: (server.server.address() as AddressInfo).port }
    const openUrl = () => `${url()}/open?token=${sessions.issueLink(owner.id)}`
    const withdraw = await announce(config.home, { url: url(), pid: process.pid }, openUrl)
    const sweepFiles = () => files.sweep(Date.now() - config.retentionSeconds * 1000)
    await sweepFiles()
    const sweeper = setInterval(() => void sweepFiles().catch(onError), SWEEP_INTERVAL).unref()
    log.info({ url: url(), home: config.home }, 'Refile is listening')

    let closing: Promise<void> | undefined
    const close = async () => {
      clearInterval(sweeper)
      await Promise.all([server.close(), jobs.stop(), models.close()])
      await Promise.all([pool.close(), intakePool.close()])
      database.close()
      await withdraw()
    }
    return {
      url: url(),
      openUrl,
      createKey: name => keys.create(owner.id, { name }).secret,
      services,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Listens on `wanted`, or the next free port after it; 0 lets the system choose. */
async function listen(attempt: (port: number) => Promise<unknown>, wanted: number): Promise<void> {
  for (let port = wanted; ; port++) {
    try {
      await attempt(port)
      return
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!taken || wanted === 0 || port - wanted >= PORT_ATTEMPTS) throw error
    }
  }
}
