import { type JobStore, type QueueLimits, SUBMISSION_KEY_MS } from '../interfaces/jobs.ts'
import { jobBlobs } from '../interfaces/keys.ts'
import type { Encrypter } from '../sealer.ts'
import { Conditions } from './conditions.ts'
import { toJob } from './job-rows.ts'
import { leases } from './leases.ts'
import { found, isOne, type Row, type Sql, textOrNull } from './sql.ts'
import { submissions } from './submissions.ts'

/** Stores jobs. */
export function jobStore(sql: Sql, limits: QueueLimits, encrypter: Encrypter): JobStore {
  const jobOf = (row: Row) => toJob(row, encrypter)
  /** Whether a statement changed a job, for good. */
  const isEnded = async (changed: Promise<number>): Promise<boolean> => {
    const isChanged = await isOne(changed)
    await sql.durable()
    return isChanged
  }

  return {
    ...submissions(sql, limits, encrypter),
    ...leases(sql, limits, jobOf),
    now: () => sql.now(),

    succeed: ({ id, attempts }, success) =>
      isEnded(sql.run`
        UPDATE jobs SET status = 'Succeeded', finished_at = ${sql.now()}, expires_at = ${success.expiresAt},
          output_name = ${success.fileName}, output_type = ${success.contentType}, output_count = ${success.fileCount},
          output_bytes = ${success.bytes}, output_key = ${success.key}, output_kept = 1,
          warnings = ${JSON.stringify(success.warnings)}
        WHERE id = ${id} AND status = 'Running' AND attempts = ${attempts}`),

    fail: ({ id, attempts }, error, warnings) =>
      isEnded(sql.run`
        UPDATE jobs SET status = 'Failed', finished_at = ${sql.now()}, error_code = ${error.code},
          error_reason = ${JSON.stringify(error.reason)}, warnings = ${JSON.stringify(warnings)}
        WHERE id = ${id} AND status = 'Running' AND attempts = ${attempts}`),

    cancel: id =>
      isEnded(sql.run`
        UPDATE jobs SET status = 'Canceled', finished_at = ${sql.now()}
        WHERE id = ${id} AND status IN ('Queued', 'Running')`),

    rename: (id, fileName, savedTo) =>
      sql.durably(async tx => {
        await tx.run`UPDATE jobs SET output_name = ${fileName}, saved_to = ${savedTo} WHERE id = ${id} AND status = 'Succeeded'`
        if (savedTo !== null)
          await tx.run`UPDATE batch_items SET saved_to = ${savedTo} WHERE job_id = ${id} AND delivery = 'saved'`
      }),

    remove: id => isEnded(sql.run`DELETE FROM jobs WHERE id = ${id} AND status NOT IN ('Queued', 'Running')`),

    get: id => found(sql.get`SELECT * FROM jobs WHERE id = ${id}`, jobOf),

    getMany: async ids => (await sql.all`SELECT * FROM jobs WHERE id ${sql.dialect.anyOf(ids)}`).map(jobOf),

    async list(accountId, before, limit, { status, keyId, since } = {}) {
      const where = new Conditions()
        .add('account_id = ?', accountId)
        .add('seq < ?', before ?? Number.MAX_SAFE_INTEGER)
        .add('status = ?', status)
        .add('key_id = ?', keyId)
        .add('created_at >= ?', since)
      const rows = await sql.all`SELECT * FROM jobs WHERE ${where} ORDER BY seq DESC LIMIT ${limit}`
      return rows.map(jobOf)
    },

    async open() {
      const row = await sql.get`
        SELECT (SELECT COUNT(*) FROM jobs WHERE status = 'Queued') AS queued,
        (SELECT COUNT(*) FROM jobs WHERE status = 'Running') AS running`
      return { queued: Number(row?.queued), running: Number(row?.running) }
    },

    async waiting() {
      const rows = await sql.all`
        SELECT account_id, input_format, target_key, COUNT(*) AS jobs, MIN(created_at) AS since
        FROM jobs WHERE status = 'Queued' GROUP BY account_id, input_format, target_key ORDER BY account_id, jobs`
      return rows.map(row => ({
        accountId: String(row.account_id),
        from: String(row.input_format),
        to: String(row.target_key),
        jobs: Number(row.jobs),
        seconds: Math.max(0, sql.now() - Number(row.since)) / 1000,
      }))
    },

    async counts(accountId) {
      const row = await sql.get`
        SELECT COUNT(*) FILTER (WHERE status = 'Queued') AS queued,
               COUNT(*) FILTER (WHERE status = 'Running') AS running,
               COUNT(batch_id) AS from_batches
        FROM jobs WHERE account_id = ${accountId} AND status IN ('Queued', 'Running')`
      return {
        queued: Number(row?.queued),
        running: Number(row?.running),
        fromBatches: Number(row?.from_batches),
      }
    },

    async expire(now) {
      await sql.run`DELETE FROM submission_keys WHERE created_at <= ${now - SUBMISSION_KEY_MS}`
      const gone = await sql.all`
        UPDATE jobs SET output_kept = 0, output_key = NULL
        WHERE output_kept = 1 AND expires_at <= ${now}
          AND NOT EXISTS (SELECT 1 FROM batch_items WHERE job_id = jobs.id AND delivery = 'pending')
        RETURNING *`
      if (gone.length > 0) await sql.durable()
      return gone.map(jobOf)
    },

    async purge(before) {
      const gone = await sql.all`
        DELETE FROM jobs WHERE finished_at < ${before} AND status NOT IN ('Queued', 'Running') RETURNING *`
      return gone.map(jobOf)
    },

    async blobsNeeded(ids) {
      const rows = await sql.all`
        SELECT id, output_key FROM jobs
        WHERE id ${sql.dialect.anyOf(ids)} AND (status IN ('Queued', 'Running') OR output_kept = 1)`
      return new Map(
        rows.map(row => [String(row.id), textOrNull(row.output_key) ?? jobBlobs.all(String(row.id))]),
      )
    },
  }
}
