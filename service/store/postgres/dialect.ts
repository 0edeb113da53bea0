import { asJson, type Dialect, fragment } from '../sql/sql.ts'

/** Time zone of the machine, in whose days spending is counted. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

/** PostgreSQL's variants of the SQL that differs from SQLite. */
export const dialect: Dialect = {
  anyOf: texts => fragment`= ANY (ARRAY(SELECT json_array_elements_text(${JSON.stringify(texts)}::JSON)))`,
  elements: rows => fragment`json_array_elements(${asJson(rows)}::JSON) AS item(value)`,
  mostInterruptions: 3,
  indexedBy: () => fragment(''),
  localDay: column =>
    fragment(`to_char(to_timestamp(${column} / 1000.0) AT TIME ZONE '${timeZone}', 'YYYY-MM-DD')`),
  locked: 'FOR UPDATE',
  skipLocked: fragment('FOR UPDATE SKIP LOCKED'),
  claim: `SELECT * FROM claim_job(?, ?, ?, ?, ?)`,
}
