import { join } from 'node:path'
import type { Logger } from 'pino'
import { Administration } from '../accounts/administration.ts'
import { Funds } from '../accounts/funds.ts'
import { IdentityProvider } from '../accounts/identity/provider.ts'
import { ApiKeys } from '../accounts/keys.ts'
import { Presets } from '../accounts/presets/presets.ts'
import { Sessions } from '../accounts/sessions.ts'
import { measuring } from '../convert/catalogue/engines.ts'
import { EngineReports } from '../sandbox/workers/engine-reports.ts'
import type { Config } from '../shared/config.ts'
import { createOutbound, type Outbound } from '../shared/net/outbound.ts'
import { recycle as recycleHere } from '../shared/recycle.ts'
import type { Account } from '../store/interfaces/accounts.ts'
import { asideBlobs } from '../store/interfaces/keys.ts'
import { Watching } from '../watch/watching.ts'
import { Readiness } from '../web/http/readiness.ts'
import type { Services } from '../web/services.ts'
import { Batches } from '../work/batches/batches.ts'
import { BatchRunner } from '../work/batches/runner.ts'
import { UrlFetcher } from '../work/intake/fetch/fetcher.ts'
import { StagedFiles } from '../work/intake/staged.ts'
import { Jobs } from '../work/jobs/jobs.ts'
import { PreviewCache } from '../work/preview/cache.ts'
import { Previews } from '../work/preview/previews.ts'
import { Retention } from '../work/retention/retention.ts'
import { ownConverter } from '../work/watch/converter.ts'
import { WebhookDeliverer } from '../work/webhooks/deliverer.ts'
import { assembleCore, type Parts, QUEUE_LIMITS } from './core.ts'

export interface Assembly extends AsyncDisposable {
  services: Services
  sessions: Sessions
  owner: Account
  retention: Retention
  /** Accepts no more requests or jobs, and waits for running ones: at most `graceMs`, or until the signal aborts. */
  drain(graceMs: number, signal: AbortSignal): Promise<void>
  /** Says that an error broke this process, so that what it is running counts as interrupted. */
  noteCrash(): void
}

/** Size of the cache of thumbnails and quick conversions. */
const PREVIEW_BYTES = 256 * 2 ** 20
/** How often a host checks for changes of other hosts, whose events are missed while the database is out of reach. */
const RECONCILE_INTERVAL_MS = 60_000
const ENGINES_TIMEOUT_MS = 30_000
/** Time limit for measuring the size of a result. */
const SIZE_TIMEOUT_MS = 8_000

/** Who vouches for members of accounts; its host may be in a network of its own. */
function identityOf(config: Config, outbound: Outbound | undefined): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, publicUrl, offline } = config
  if (issuer === null || clientId === null || publicUrl === null) return undefined
  return new IdentityProvider({
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    claim: config.oidcClaim,
    returnUrl: `${publicUrl}/sign-in/return`,
    outbound: outbound ?? createOutbound({ offline, ownHost: new URL(issuer).hostname }),
  })
}

/**
 * Assembles all parts of the service except HTTP, recovers what an earlier life left, and starts working. Webhooks wait until
 * the caller provides the address. What was started is undone if a later step fails, and in reverse order on disposal.
 * @param url address the service answers at
 */
export async function assemble(
  config: Config,
  log: Logger,
  url: () => string,
  parts: Parts,
): Promise<Assembly> {
  const { recycle = recycleHere, isApp = false } = parts
  const folder = (name: string) => join(config.home, name)
  await using starting = new AsyncDisposableStack()
  const core = starting.use(await assembleCore(config, log, parts))
  const { stores, catalogue, pool, cleanup, models, outbound, runner, statistics, accounts, host, onError } =
    core
  const cache = new PreviewCache(folder('previews'), PREVIEW_BYTES, onError)
  await cache.start()
  const previews = new Previews({ pool, cache, cleanup, scratch: folder('scratch') })
  // Whoever deletes a job, here or on another host, deletes its previews.
  const unsubscribe = stores.events.subscribe(event => {
    if (event.type === 'job-removed') void previews.evict([event.jobId])
  })
  starting.defer(unsubscribe)
  const retention = new Retention({
    stores,
    cleanup,
    previews,
    retentionMs: config.retentionSeconds * 1000,
    onError,
  })
  starting.defer(() => retention.stop())
  const funds = new Funds({ store: stores.accounts, owner: () => accounts.owner(), config, isApp })
  const keys = new ApiKeys(stores.accounts)
  const sessions = new Sessions(stores.accounts)
  const engines = new EngineReports(() =>
    pool.run('engines', null, { engine: measuring.engine, queue: 'report', timeoutMs: ENGINES_TIMEOUT_MS }),
  )
  const jobs = new Jobs({
    store: stores.jobs,
    blobs: stores.blobs,
    events: stores.events,
    runner,
    funds,
    cleanup,
  })
  const files = new StagedFiles(stores.files, stores.blobs, cleanup)
  const conversions = { catalogue, config }
  const batchRunner = new BatchRunner({
    host,
    stores,
    jobs,
    files,
    funds,
    conversions,
    limits: QUEUE_LIMITS,
    // A name without the size is better than no result.
    sizeOf: (path, signal) =>
      pool
        .run(
          'size',
          { path },
          { engine: measuring.engine, queue: 'measure', timeoutMs: SIZE_TIMEOUT_MS, signal },
        )
        .catch(() => null),
    recycle,
    onError,
  })
  starting.defer(() => batchRunner.stop())
  const webhooks = new WebhookDeliverer({
    stores,
    outbound,
    publicUrl: () => config.publicUrl ?? url(),
    onError,
  })
  starting.defer(() => webhooks.stop())
  const fetcher = new UrlFetcher({
    outbound,
    folder: folder('incoming'),
    isAllowed: config.urlInput && !config.offline,
  })
  const own = { ...conversions, pool, funds, jobs, blobs: stores.blobs }
  const watching = new Watching({
    home: config.home,
    knowsTarget: target => catalogue.edges.some(({ targetKey }) => targetKey === target),
    converter: accountId => ownConverter(own, accountId),
    recycle,
    intervalMs: parts.lookMs,
    onError,
    onHold: reason => log.warn(reason),
  })
  const services: Services = {
    config,
    log,
    catalogue,
    stores,
    accounts,
    administration: new Administration(stores.accounts, QUEUE_LIMITS, config.freeCredits),
    keys,
    funds,
    sessions,
    identity: identityOf(config, parts.outbound),
    jobs,
    files,
    fetcher,
    batches: new Batches({ host, stores, conversions, config, runner: batchRunner }),
    webhooks,
    outbound,
    watching,
    models,
    presets: new Presets(stores.presets, catalogue),
    previews,
    pool,
    statistics,
    cleanup,
    readiness: new Readiness(stores, () => runner.canClaim),
    incoming: folder('incoming'),
    engines,
    url,
  }

  const owner = await core.begin()
  // Another host may be writing to a store outside the data folder.
  await retention.start({ alone: !stores.isShared && config.blobs === null })
  if (stores.damage && !stores.damage.isSorted) {
    cleanup.deleteAgain()
    await stores.damage.sorted()
    log.warn(
      { folder: asideBlobs.of(stores.damage.date) },
      'files that the database in use does not know were set aside',
    )
  }
  await batchRunner.start()
  if (stores.isShared) {
    const looking = setInterval(() => {
      webhooks.wake()
      batchRunner.reconcile().catch(onError)
    }, RECONCILE_INTERVAL_MS).unref()
    starting.defer(() => clearInterval(looking))
  }

  const started = starting.move()
  const drain: Assembly['drain'] = async (graceMs, signal) => {
    services.readiness.drain()
    await runner.drain(graceMs, signal)
  }
  return {
    ...{ services, sessions, owner, retention, drain },
    noteCrash: () => runner.noteCrash(),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
