import type { Dialect } from '../sql/sql.ts'

/** Time zone of the machine, by whose days spending is counted. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

/** How PostgreSQL says what SQLite says otherwise. */
export const dialect: Dialect = {
  anyOf: '= ANY (ARRAY(SELECT json_array_elements_text(?::JSON)))',
  indexedBy: () => '',
  localDay: column => `to_char(to_timestamp(${column} / 1000.0) AT TIME ZONE '${timeZone}', 'YYYY-MM-DD')`,
  locked: 'FOR UPDATE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  // Goes through the accounts that have queued jobs in the order of an index, and ends with the first that has a job to run.
  nextJob: `SELECT first.id, accounts.id AS account_id FROM accounts CROSS JOIN LATERAL (
      SELECT jobs.id FROM jobs
      WHERE jobs.account_id = accounts.id AND jobs.status = 'Queued'
        AND jobs.job <> ALL (ARRAY(SELECT json_array_elements_text(?::JSON)))
      ORDER BY jobs.seq LIMIT 1) AS first
    WHERE accounts.queued > 0 AND accounts.running < ?
    ORDER BY accounts.turn, accounts.waiting_from LIMIT 1`,
}
