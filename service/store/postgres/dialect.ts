import type { Dialect } from '../sql/sql.ts'

/** Time zone of the machine, in whose days spending is counted. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

/** PostgreSQL's variants of the SQL that differs from SQLite. */
export const dialect: Dialect = {
  anyOf: '= ANY (ARRAY(SELECT json_array_elements_text(?::JSON)))',
  elements: 'json_array_elements(?1) AS item(value)',
  mostInterruptions: 3,
  indexedBy: () => '',
  localDay: column => `to_char(to_timestamp(${column} / 1000.0) AT TIME ZONE '${timeZone}', 'YYYY-MM-DD')`,
  locked: 'FOR UPDATE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  claim: `SELECT * FROM claim_job(?, ?, ?, ?, ?)`,
}
