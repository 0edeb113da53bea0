import { asJson, type Dialect, fragment } from '../sql/sql.ts'

/** SQLite's variants of the SQL that differs from PostgreSQL. */
export const dialect: Dialect = {
  anyOf: texts => fragment`IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`,
  elements: rows => fragment`json_each(${asJson(rows)})`,
  mostInterruptions: 2,
  indexedBy: index => fragment(`INDEXED BY ${index}`),
  localDay: column => fragment(`date(${column} / 1000, 'unixepoch', 'localtime')`),
  // A transaction is alone.
  locked: '',
  skipLocked: fragment(''),
  claim: `UPDATE jobs SET status = 'Running', started_at = ?4, attempts = attempts + 1, lease_owner = ?3, lease_expires_at = ?5
    WHERE id = (
      SELECT jobs.id FROM jobs JOIN accounts ON accounts.id = jobs.account_id
      WHERE jobs.status = 'Queued'
        AND jobs.job NOT IN (SELECT value FROM json_each(?1))
        AND (SELECT COUNT(*) FROM jobs AS running
             WHERE running.account_id = jobs.account_id AND running.status = 'Running')
            < CASE ?2 WHEN 1 THEN 1 ELSE coalesce(accounts.running_limit, ?2) END
      ORDER BY accounts.turn, jobs.seq LIMIT 1)
    RETURNING *`,
}
