import type { BatchSum, HistoryFilter, HistoryState, HistoryStore, Program } from '../interfaces/history.ts'
import type { Encrypter } from '../sealer.ts'
import { Conditions } from './conditions.ts'
import { toJob } from './job-rows.ts'
import { type Fragment, fragment, type Row, type Sql, textOrNull } from './sql.ts'

const OPEN = fragment`('Queued', 'Running')`
const states: Record<HistoryState, string> = {
  open: OPEN.text,
  succeeded: `('Succeeded')`,
  failed: `('Failed')`,
  canceled: `('Canceled')`,
}

/** The last attempt represents a row. */
const IS_LAST = fragment`NOT EXISTS (SELECT 1 FROM jobs AS later WHERE later.first_id = jobs.first_id AND later.seq > jobs.seq)`
/** The newest row represents a batch. */
const IS_NEWEST = fragment`NOT EXISTS (SELECT 1 FROM jobs AS newer WHERE newer.batch_id = jobs.batch_id AND newer.seq > jobs.seq
  AND NOT EXISTS (SELECT 1 FROM jobs AS later WHERE later.first_id = newer.first_id AND later.seq > newer.seq))`

/** The history: a view of the jobs. */
export function historyStore(sql: Sql, encrypter: Encrypter): HistoryStore {
  /** What batches of several rows come to. */
  const batchSums = async (ids: readonly Row[string][]): Promise<Map<Row[string] | undefined, BatchSum>> => {
    const sums = await sql.all`
      SELECT batch_id, COUNT(*) AS files, COUNT(*) FILTER (WHERE status = 'Succeeded') AS succeeded,
             COUNT(*) FILTER (WHERE status = 'Failed') AS failed, COUNT(*) FILTER (WHERE output_kept = 1) AS kept,
             SUM(input_bytes) AS input_bytes, SUM(output_bytes) AS output_bytes
      FROM jobs WHERE batch_id ${sql.dialect.anyOf(ids)} AND ${IS_LAST} GROUP BY batch_id HAVING COUNT(*) > 1`
    return new Map(
      sums.map(row => [
        row.batch_id,
        {
          ...{ files: Number(row.files), succeeded: Number(row.succeeded), failed: Number(row.failed) },
          ...{
            kept: Number(row.kept),
            inputBytes: Number(row.input_bytes),
            outputBytes: Number(row.output_bytes),
          },
        },
      ]),
    )
  }

  /** Deletes all jobs of the rows that have a job like this, except rows with an open job. */
  const remove = async (accountId: string, where: Fragment): Promise<string[]> => {
    const removed = await sql.all`
      DELETE FROM jobs WHERE account_id = ${accountId} AND first_id IN (
        SELECT first_id FROM (SELECT first_id FROM jobs WHERE ${where}) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM jobs AS open WHERE open.first_id = wanted.first_id AND open.status IN ${OPEN}))
      RETURNING id`
    if (removed.length > 0) await sql.durable()
    return removed.map(row => String(row.id))
  }

  return {
    async list(accountId, filter, before, limit, isFolded = false) {
      const where = conditions(accountId, filter).add('seq < ?', before ?? undefined)
      if (isFolded) where.always(IS_NEWEST.text)
      const rows = await sql.all`
        SELECT *, (SELECT COUNT(*) FROM jobs AS each WHERE each.first_id = jobs.first_id) AS tries,
               (SELECT name FROM api_keys WHERE api_keys.id = key_id) AS key_name
        FROM jobs WHERE ${where} AND ${IS_LAST} ORDER BY seq DESC LIMIT ${limit}`
      const batches = isFolded ? await batchSums(rows.map(row => row.batch_id ?? null)) : null
      return rows.map(row => ({
        job: toJob(row, encrypter),
        tries: Number(row.tries),
        keyName: textOrNull(row.key_name),
        batch: batches?.get(row.batch_id) ?? null,
      }))
    },

    async count(accountId, filter) {
      const where = conditions(accountId, filter)
      const row = await sql.get`SELECT COUNT(*) AS rows FROM jobs WHERE ${where} AND ${IS_LAST}`
      return Number(row?.rows)
    },

    async attempts(accountId, jobId) {
      const rows = await sql.all`
        SELECT * FROM jobs WHERE account_id = ${accountId} AND first_id = (SELECT first_id FROM jobs WHERE id = ${jobId})
        ORDER BY seq DESC`
      return rows.map(row => toJob(row, encrypter))
    },

    remove: (accountId, jobIds) => remove(accountId, fragment`id ${sql.dialect.anyOf(jobIds)}`),

    clear: (accountId, filter) =>
      remove(accountId, fragment`${conditions(accountId, filter)} AND ${IS_LAST}`),

    async programs(accountId, since) {
      const rows = await sql.all`
        SELECT key_id, api_keys.name, api_keys.prefix, MAX(jobs.created_at) AS last_at,
               COUNT(*) FILTER (WHERE status = 'Queued') AS queued,
               COUNT(*) FILTER (WHERE status = 'Running') AS running,
               COUNT(*) FILTER (WHERE status = 'Succeeded') AS succeeded,
               COUNT(*) FILTER (WHERE status = 'Failed') AS failed,
               COUNT(*) FILTER (WHERE status = 'Canceled') AS canceled
        FROM jobs JOIN api_keys ON api_keys.id = key_id
        WHERE jobs.account_id = ${accountId} AND origin = 'api' AND (jobs.created_at >= ${since} OR status IN ${OPEN})
        GROUP BY key_id, api_keys.name, api_keys.prefix ORDER BY last_at DESC`
      return rows.map(toProgram)
    },
  }
}

function conditions(accountId: string, filter: HistoryFilter): Conditions {
  const where = new Conditions()
    .add('account_id = ?', accountId)
    .add(`contains(input_name || '\n' || coalesce(output_name, ''), ?)`, filter.search)
    .add('category = ?', filter.category)
    .add('origin = ?', filter.origin)
    .add('key_id = ?', filter.keyId)
    .add('batch_id = ?', filter.batchId)
    .add('created_at >= ?', filter.from)
    .add('created_at < ?', filter.to)
  return filter.state ? where.always(`status IN ${states[filter.state]}`) : where
}

const toProgram = (row: Row): Program => ({
  keyId: String(row.key_id),
  name: String(row.name),
  prefix: String(row.prefix),
  queued: Number(row.queued),
  running: Number(row.running),
  succeeded: Number(row.succeeded),
  failed: Number(row.failed),
  canceled: Number(row.canceled),
  lastAt: Number(row.last_at),
})
