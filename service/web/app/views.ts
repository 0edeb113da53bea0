import { creditsFor } from '../../accounts/pricing.ts'
import { type Catalogue, type Edge, targetLabel } from '../../convert/catalogue/catalogue.ts'
import { measured } from '../../convert/catalogue/costing.ts'
import { formats, isFormatKey } from '../../convert/catalogue/formats.ts'
import { isMissing } from '../../convert/catalogue/missing.ts'
import { withoutSecrets } from '../../convert/catalogue/options.ts'
import { translated } from '../../shared/messages/languages.ts'
import { message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import type { ApiKeyRecord, StoredEntry } from '../../store/interfaces/accounts.ts'
import type { BatchItemRecord, BatchProblem } from '../../store/interfaces/batches.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import type { Delivery } from '../../store/interfaces/webhooks.ts'
import type { CountedBatch } from '../../work/batches/batches.ts'
import { factsOf } from '../../work/intake/facts.ts'
import { errorInWords } from '../../work/jobs/job.ts'
import type { Services } from '../services.ts'
import {
  type ApiKey,
  type AppJob,
  type Batch,
  type BatchItem,
  type LedgerEntry,
  type StagedFile,
  type StagedFiles,
  shownOfFile,
  shownOfJob,
  type TargetChoice,
  type WebhookDelivery,
} from './types.ts'

const iso = (time: number) => new Date(time).toISOString()
const picked = <T, Key extends keyof T>(from: T, keys: readonly Key[]) =>
  Object.fromEntries(keys.map(key => [key, from[key]])) as Pick<T, Key>
const isoOrNull = (time: number | null) => (time === null ? null : iso(time))

/** A job as the app shows it, with live progress. */
export async function appJob(job: Job, services: Services): Promise<AppJob> {
  return (await appJobView(job, services))()
}

/** A function that shows a job with its progress at that moment, without reading anything. */
export async function appJobView(job: Job, services: Services): Promise<() => AppJob> {
  const canRetry = job.fileId !== null && (await services.stores.files.existing([job.fileId])).has(job.fileId)
  return () => showJob(job, canRetry, services)
}

/** Several jobs as the app shows them. */
export async function appJobs(jobs: readonly Job[], services: Services): Promise<AppJob[]> {
  const files = await services.stores.files.existing(jobs.flatMap(({ fileId }) => fileId ?? []))
  return jobs.map(job => showJob(job, job.fileId !== null && files.has(job.fileId), services))
}

function showJob(job: Job, canRetry: boolean, services: Services): AppJob {
  const live = services.jobs.live(job)
  const last = job.furtherSteps.at(-1) ?? job
  const converter = services.catalogue.byJob(last.job)
  const edge = services.catalogue.edges.find(
    candidate => candidate.converter === converter && candidate.targetKey === last.targetKey,
  )
  const available = services.jobs.hasOutput(job)
  return {
    ...picked(job, shownOfJob),
    source: job.inputFormat,
    target: job.targetKey,
    targetLabel: edge ? translated(targetLabel(edge)) : job.targetKey,
    percent: job.status === 'Succeeded' ? 100 : (live?.percent ?? 0),
    phase: job.status === 'Running' ? (live?.phase ?? 'preparing') : null,
    eta: live?.eta ?? null,
    error: errorInWords(job),
    warnings: (live?.warnings ?? job.warnings).map(warning => render(warning)),
    output: available ? job.output : null,
    canRetry,
    createdAt: iso(job.createdAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
    expiresAt: available ? isoOrNull(job.expiresAt) : null,
  }
}

const inWords = ({ code, reason }: BatchProblem) => ({ code, detail: render(reason) })

/** A batch as the app shows it. */
export function shownBatch(batch: CountedBatch, catalogue: Catalogue): Batch {
  const { id, source, targetKey, options, destination, state, problem } = batch
  const { unsaved: _, creditCost, inputBytes, outputBytes, ...counts } = batch.counts
  const edges = catalogue.edges.filter(edge => edge.targetKey === targetKey)
  const edge = edges.find(candidate => candidate.source === source) ?? edges[0]
  return {
    id,
    source,
    target: targetKey,
    targetLabel: edge ? translated(targetLabel(edge)) : targetKey,
    options: edge ? withoutSecrets(options, edge.converter.options) : {},
    destination,
    state,
    problem: problem && inWords(problem),
    counts,
    creditCost,
    inputBytes,
    outputBytes,
    createdAt: iso(batch.createdAt),
    finishedAt: isoOrNull(batch.finishedAt),
  }
}

/** Items of a batch as the app shows them, with their jobs. */
export async function batchItems(
  items: readonly BatchItemRecord[],
  services: Services,
): Promise<BatchItem[]> {
  const found = await services.stores.jobs.getMany(items.flatMap(({ jobId }) => jobId ?? []))
  const jobs = new Map((await appJobs(found, services)).map(job => [job.id, job]))
  return items.map(item => {
    const job = jobs.get(item.jobId ?? '') ?? null
    const format = formatOf(item)
    return {
      ...picked(item, ['batchId', 'fileId', ...shownOfFile]),
      format,
      formatLabel: format && translated(formats[format].label),
      state: stateOf(item, job),
      job,
      error: item.error ? inWords(item.error) : (job?.error ?? null),
      savedTo: item.delivery === 'saved' ? item.savedTo : null,
    }
  })
}

function stateOf({ state }: BatchItemRecord, job: AppJob | null): BatchItem['state'] {
  if (state !== 'submitted') return state
  // A job that was removed between two reads; the item now has its last state.
  return job ? (job.status.toLowerCase() as Lowercase<AppJob['status']>) : 'canceled'
}

const formatOf = ({ format }: { format: string | null }) =>
  format !== null && isFormatKey(format) ? format : null

type Priced = Pick<FileRecord, 'bytes' | 'format' | 'measure'>

/** Everything that a file can become, priced. */
export function targetsOf(
  file: Priced,
  { catalogue, engines }: Pick<Services, 'catalogue' | 'engines'>,
): TargetChoice[] {
  const format = formatOf(file)
  const facts = Object.entries(factsOf(file))
  const isOffered = ({ converter: { requires } }: Edge) =>
    Object.entries(requires).every(([name, wanted]) =>
      facts.some(fact => fact[0] === name && fact[1] === wanted),
    )
  const edges = format ? catalogue.edgesFrom(format).filter(isOffered) : []
  return edges.map(edge => choiceOf(edge, file, engines.unavailable))
}

/** A dropped file with all its possible targets. */
export function stagedFile(file: FileRecord, services: Pick<Services, 'catalogue' | 'engines'>): StagedFile {
  const format = formatOf(file)
  return {
    ...picked(file, shownOfFile),
    format,
    formatLabel: format && translated(formats[format].label),
    targets: targetsOf(file, services),
    pages: file.measure.pages ?? null,
    minutes: file.measure.minutes ?? null,
    facts: factsOf(file),
    problem: file.problem && render(file.problem),
  }
}

/** Several of them, with each list of targets once. */
export function stagedFiles(records: readonly FileRecord[], services: Services): StagedFiles {
  const places = new Map<string, number>()
  const targets: TargetChoice[][] = []
  const files = records.map(record => {
    const file = stagedFile(record, services)
    const list = JSON.stringify(file.targets)
    const place = places.get(list) ?? targets.push(file.targets) - 1
    places.set(list, place)
    return { ...file, targets: place }
  })
  return { files, targets }
}

function choiceOf(edge: Edge, file: Priced, unavailable: ReadonlySet<string>): TargetChoice {
  const { converter, targetKey } = edge
  const quantity = measured({ bytes: file.bytes, ...file.measure })
  const variants = converter.costing.costVariants?.variants
  return {
    target: targetKey,
    label: translated(targetLabel(edge)),
    job: converter.job,
    category: converter.category,
    credits: creditsFor(converter.costing, quantity),
    likely: converter.likely && targetKey === converter.targetKey,
    variants: variants
      ? Object.fromEntries(
          Object.keys(variants).map(key => [key, creditsFor(converter.costing, quantity, key)]),
        )
      : null,
    missing: isMissing(converter, unavailable),
    maxFileSizeBytes: converter.limits.bytes,
  }
}

export const ledgerEntry = ({ createdAt, ...entry }: StoredEntry): LedgerEntry => ({
  ...entry,
  createdAt: iso(createdAt),
})

export const apiKey = (key: ApiKeyRecord): ApiKey => ({
  ...key,
  createdAt: iso(key.createdAt),
  expiresAt: isoOrNull(key.expiresAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
})

export const webhookDelivery = (delivery: Delivery): WebhookDelivery => {
  // Without the secrets.key it was stored with, nobody knows its address any more.
  const receiver = URL.canParse(delivery.url) ? new URL(delivery.url) : null
  return {
    id: delivery.eventId,
    jobId: delivery.jobId,
    receiver: receiver ? `${receiver.origin}${receiver.pathname}` : render(message('webhook.address_lost')),
    event: delivery.job.status === 'Succeeded' ? 'succeeded' : 'failed',
    state: delivery.state,
    attempts: delivery.attempts,
    nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
    status: delivery.lastStatus,
    problem: delivery.problem && render(delivery.problem),
    updatedAt: iso(delivery.updatedAt),
  }
}
