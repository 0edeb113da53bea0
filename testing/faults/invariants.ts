/** What must be true of a service once nothing is left to do, whatever happened before. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { outputOf } from './conversion.ts'
import { type Entry, readJournal } from './journal.ts'
import type { Place } from './place.ts'

type Row = Record<string, string | number | null>

/** How each job can end by itself; a job that was running in two killed lives is given up. */
const ends: Record<string, string[]> = {
  fine: ['Succeeded'],
  'fine,': ['Succeeded'],
  fail: ['Failed jobs.corrupt_input'],
  crash: ['Failed jobs.engine_crashed'],
  slow: ['Canceled'],
}

/** What has happened to a service. */
export interface Troubles {
  kills?: number
  /** Whether the disk was full for a while: jobs may then fail because of it. */
  diskFull?: boolean
}

/**
 * Lists everything that is wrong with the data a service has left, with no process having the database open; empty if all
 * is well.
 */
export function wrongs(place: Place, troubles: Troubles = {}): string[] {
  const database = new DatabaseSync(join(place.home, 'refile.sqlite'), { readOnly: true })
  try {
    const rows = (sql: string) => database.prepare(sql).all() as Row[]
    const journal = readJournal(place.journal)
    return [
      ...rows('PRAGMA integrity_check').flatMap(row =>
        row.integrity_check === 'ok' ? [] : [`database: ${row.integrity_check}`],
      ),
      ...rows('PRAGMA foreign_key_check').map(row => `database: a row of ${row.table} refers to nothing`),
      ...wrongJobs(rows('SELECT * FROM jobs'), journal, troubles),
      ...wrongMoney(rows, journal),
      ...wrongFiles(place, rows),
      ...wrongBatches(place, rows, journal),
      ...wrongWebhooks(rows, journal),
    ]
  } finally {
    database.close()
  }
}

const of = <K extends Entry['kind']>(journal: Entry[], kind: K) =>
  journal.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind)

/** Every accepted job is in one valid state. */
function wrongJobs(jobs: Row[], journal: Entry[], { kills = 0, diskFull = false }: Troubles): string[] {
  const known = new Map(jobs.map(job => [String(job.id), job]))
  const removed = new Set(of(journal, 'removed').map(({ jobId }) => jobId))
  const canceled = new Set(of(journal, 'canceled').map(({ jobId }) => jobId))
  return of(journal, 'accepted').flatMap(({ jobId, input }) => {
    const job = known.get(jobId)
    if (removed.has(jobId)) return job ? [`job ${jobId} was removed and is there`] : []
    // It may have been removed without the removal being recorded.
    if (!job)
      return input.startsWith('fine') && kills > 0 ? removable(journal, jobId) : [`job ${jobId} is lost`]
    const status = [job.status, ...(job.error_code === null ? [] : [job.error_code])].join(' ')
    const right = canceled.has(jobId) ? ['Canceled'] : [...(ends[input.split(' ')[0] ?? ''] ?? [])]
    if (kills > 1 && !canceled.has(jobId)) right.push('Failed jobs.interrupted')
    if (diskFull && !canceled.has(jobId)) right.push('Failed jobs.disk_full')
    return right.includes(status) ? [] : [`job ${jobId} (${input}) is ${status}`]
  })
}

/** Only jobs with a webhook are ever removed, after the webhook was delivered. */
const removable = (journal: Entry[], jobId: string) =>
  of(journal, 'delivered').some(entry => entry.jobId === jobId) ? [] : [`job ${jobId} is lost`]

/** The balance equals the ledger, and every job is charged once, or not at all if it did not succeed. */
function wrongMoney(rows: (sql: string) => Row[], journal: Entry[]): string[] {
  const sums =
    rows(`SELECT accounts.id, balance, (SELECT SUM(amount) FROM ledger WHERE account_id = accounts.id) AS sum
                     FROM accounts`).flatMap(({ id, balance, sum }) =>
      balance === sum ? [] : [`account ${id} has ${balance}, and its entries make ${sum}`],
    )
  const jobs = rows(`
    SELECT ledger.job_id, jobs.status, jobs.credit_cost, SUM(kind = 'charge') AS charges,
           SUM(kind = 'refund') AS refunds, SUM(amount) AS amount
    FROM ledger LEFT JOIN jobs ON jobs.id = ledger.job_id WHERE ledger.job_id IS NOT NULL GROUP BY 1`)
  const costs = jobs.flatMap(({ job_id, status, credit_cost, charges, refunds, amount }) => {
    // Only its refund shows how a removed job ended.
    const refunded = status === null ? refunds === 1 : status !== 'Succeeded'
    const right =
      charges === 1 && refunds === (refunded ? 1 : 0) && (refunded ? amount === 0 : Number(amount) < 0)
    const priced = status !== 'Succeeded' || amount === -Number(credit_cost)
    return right && priced
      ? []
      : [`job ${job_id} (${status}) was charged ${charges}, refunded ${refunds}: ${amount}`]
  })
  const charged = new Set(jobs.map(row => row.job_id))
  const free = rows('SELECT id FROM jobs WHERE credit_cost > 0').flatMap(({ id }) =>
    charged.has(id ?? null) ? [] : [`job ${id} was never charged`],
  )
  const grants = rows(`SELECT COUNT(*) AS number FROM ledger WHERE kind = 'grant'`)[0]?.number
  const added = Number(
    rows(`SELECT COALESCE(SUM(amount), 0) AS sum FROM ledger WHERE kind = 'top-up'`)[0]?.sum,
  )
  const reported = of(journal, 'credits').reduce((sum, { amount }) => sum + amount, 0)
  return [
    ...sums,
    ...costs,
    ...free,
    ...(grants === 1 ? [] : [`${grants} grants`]),
    // Every reported top-up is there; one made just before a kill may exist without having been reported.
    ...(added >= reported ? [] : [`${reported} credits were added, and ${added} are there`]),
  ]
}

/** Folders of the blob store, which stay when they are empty. */
const blobFolders = new Set(['blobs/jobs', 'blobs/files', 'blobs/partial'])

/** The data folder contains what is needed and nothing else; outputs are complete. */
function wrongFiles({ home, original }: Place, rows: (sql: string) => Row[]): string[] {
  const list = (folder: string) =>
    existsSync(join(home, folder))
      ? readdirSync(join(home, folder), { recursive: true, withFileTypes: true }).map(entry =>
          join(entry.parentPath, entry.name).slice(home.length + 1),
        )
      : []
  const needed = new Set<string>()
  const missing: string[] = []
  const need = (key: string, isWhole: (bytes: Buffer) => boolean) => {
    const path = join(home, 'blobs', key)
    needed.add(`blobs/${key}`).add(`blobs/${key.split('/').slice(0, 2).join('/')}`)
    if (!existsSync(path)) missing.push(`${key} is missing`)
    else if (!isWhole(readFileSync(path))) missing.push(`${key} is not whole`)
  }
  for (const { output_key, output_bytes } of rows('SELECT * FROM jobs WHERE output_kept = 1')) {
    need(String(output_key), bytes => bytes.length === output_bytes && isOutput(bytes.toString()))
  }
  for (const { id, bytes, source } of rows('SELECT * FROM files')) {
    if (JSON.parse(String(source)).kind === 'blob') need(`files/${id}/content`, file => file.length === bytes)
  }
  const found = ['incoming', 'scratch', 'workers', 'blobs'].flatMap(list)
  const extra = found.filter(path => !needed.has(path) && !blobFolders.has(path))
  return [
    ...missing,
    ...extra.map(path => `nobody needs ${path}`),
    ...(readFileSync(original.path, 'utf8') === original.content ? [] : ['the original was changed']),
  ]
}

const isOutput = (text: string) => text === outputOf(text.slice(0, -outputOf('').length))

/** What a batch reports as saved is in its folder, complete, exactly once, and nothing else is there. */
function wrongBatches({ results }: Place, rows: (sql: string) => Row[], journal: Entry[]): string[] {
  const items = rows(
    'SELECT batch_items.*, status FROM batch_items LEFT JOIN jobs ON jobs.id = batch_items.job_id',
  )
  const batches = rows('SELECT * FROM batches')
  const saved = items.filter(({ delivery }) => delivery === 'saved').map(({ saved_to }) => String(saved_to))
  const files = readdirSync(results).map(name => join(results, name))
  const lost = of(journal, 'batch').flatMap(({ batchId, files: number }) =>
    items.filter(({ batch_id }) => batch_id === batchId).length === number
      ? []
      : [`batch ${batchId} lacks files`],
  )
  return [
    ...lost,
    ...batches.flatMap(({ id, state }) => (state === 'done' ? [] : [`batch ${id} is ${state}`])),
    ...items.flatMap(({ id, delivery, status }) =>
      status === 'Succeeded' && delivery === 'pending' ? [`item ${id} is not saved`] : [],
    ),
    ...(new Set(saved).size === saved.length ? [] : ['two results were saved to one path']),
    ...saved.flatMap(path => (files.includes(path) ? [] : [`${basename(path)} was not saved`])),
    ...files.flatMap(path => (saved.includes(path) ? [] : [`${basename(path)} is nobody's`])),
    ...files.flatMap(path =>
      isOutput(readFileSync(path, 'utf8')) ? [] : [`${basename(path)} is not whole`],
    ),
    ...files.flatMap(path => (statSync(path).isFile() ? [] : [`${basename(path)} is no file`])),
  ]
}

/** Every requested notification is delivered, under one id. */
function wrongWebhooks(rows: (sql: string) => Row[], journal: Entry[]): string[] {
  const delivered = of(journal, 'delivered')
  const ids = Map.groupBy(delivered, ({ jobId }) => jobId)
  return [
    ...rows(`SELECT * FROM webhooks WHERE state <> 'delivered'`).map(
      row => `a webhook of ${row.job_id} is ${row.state}`,
    ),
    ...[...ids].flatMap(([jobId, entries]) =>
      new Set(entries.map(({ eventId, status }) => `${eventId} ${status}`)).size === 1
        ? []
        : [`job ${jobId} was announced in several ways`],
    ),
    ...of(journal, 'accepted').flatMap(({ jobId, webhook }) =>
      webhook && !ids.has(jobId) ? [`no webhook announced job ${jobId}`] : [],
    ),
  ]
}
