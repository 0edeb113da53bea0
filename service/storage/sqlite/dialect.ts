import type { Dialect } from '../sql/sql.ts'

/** How SQLite says what PostgreSQL says otherwise. */
export const dialect: Dialect = {
  anyOf: 'IN (SELECT value FROM json_each(?))',
  indexedBy: index => `INDEXED BY ${index}`,
  localDay: column => `date(${column} / 1000, 'unixepoch', 'localtime')`,
  // A transaction is alone.
  locked: '',
  skipLocked: '',
  nextJob: `SELECT jobs.id, jobs.account_id FROM jobs JOIN accounts ON accounts.id = jobs.account_id
    WHERE jobs.status = 'Queued'
      AND jobs.job NOT IN (SELECT value FROM json_each(?))
      AND (SELECT COUNT(*) FROM jobs AS running
           WHERE running.account_id = jobs.account_id AND running.status = 'Running') < ?
    ORDER BY accounts.turn, jobs.seq LIMIT 1`,
}
