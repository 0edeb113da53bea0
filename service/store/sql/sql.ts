/** A row as either database returns it. */
export type Row = Record<string, string | number | bigint | Uint8Array | null>
export type Value = string | number | null | Uint8Array

export const textOrNull = (value: Row[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

export const numberOrNull = (value: Row[string] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

/** Whether a statement changed a row. */
export const isOne = async (changed: Promise<number>): Promise<boolean> => (await changed) === 1

/** What a row says; undefined if there is none. */
export async function found<T>(row: Promise<Row | undefined>, read: (row: Row) => T): Promise<T | undefined> {
  const there = await row
  return there && read(there)
}

/** A part of a statement: its text has `?` for each value, or `?1` if the only one is a JSON object. */
export interface Fragment {
  readonly text: string
  readonly values: readonly Value[]
}

/** SQL with its values: a template in which each value or fragment stands where it is used, or a text with `?` for each value. */
export type Statement = [sql: TemplateStringsArray | string, ...parts: (Value | Fragment)[]]

/** Puts a statement, or a part of one, together: no value becomes a part of its text. */
export function fragment(...[sql, ...parts]: Statement): Fragment {
  if (typeof sql === 'string') return { text: sql, values: parts as Value[] }
  const pieces = parts.map(part =>
    typeof part === 'object' && part !== null && 'text' in part ? part : { text: '?', values: [part] },
  )
  return {
    text: sql.map((text, index) => text + (pieces[index]?.text ?? '')).join(''),
    values: pieces.flatMap(({ values }) => values),
  }
}

/** The operations of a database. */
export interface Statements {
  get(...statement: Statement): Promise<Row | undefined>
  all(...statement: Statement): Promise<Row[]>
  /** Runs a statement and returns how many rows it changed. */
  run(...statement: Statement): Promise<number>
}

/** Statements that succeed or fail together. */
export interface Transaction extends Statements {
  /**
   * Waits until no other transaction holds this lock, and holds it until this transaction ends. Later reads see what the
   * previous holder has committed.
   */
  lock(name: string): Promise<void>
}

/** The SQL that differs between the two databases. */
export interface Dialect {
  /** Condition after a column: it is one of these texts. */
  anyOf(texts: readonly unknown[]): Fragment
  /** Table with a column `value`, which has these objects as JSON. */
  elements(rows: readonly object[]): Fragment
  /**
   * A job whose host crashed or was lost for this time while it ran nothing else is given up. Of several hosts any may vanish for
   * reasons of its own, and the others continue.
   */
  mostInterruptions: number
  /** After a table of a query: which index to use. */
  indexedBy(index: string): Fragment
  /** Local day, such as `2026-11-22`, of a column with milliseconds since 1970. */
  localDay(column: string): Fragment
  /** At the end of a query: nobody else can change the rows until the transaction ends. */
  locked: string
  /** The same, but rows that another transaction is changing are skipped. */
  skipLocked: Fragment
  /**
   * Statement that claims the job to run next, of the account served longest ago and its oldest, and returns its row. Its
   * parameters are a JSON array of job types to pass over, how many jobs of an account may run
   * afterwards unless it has a limit of its own (1 is for any account), the owner of the lease, the time, and when the lease is over.
   */
  claim: string
}

/** A database, as used by the stores. */
export interface Sql extends Statements {
  readonly dialect: Dialect
  /** @throws StoreUnavailable if it does not answer, or can only be read */
  check(): Promise<void>
  /** Milliseconds since 1970 on the one clock that measures all leases. */
  now(): number
  /**
   * Runs statements under a lock, all or none, and returns the row of the first; if that returns none, the others are left out. `?1` in
   * them is `values` as JSON. The database does this by itself, so that a host that stops meanwhile holds up nobody.
   */
  inOneGo(lock: string, statements: readonly string[], values: object): Promise<Row | undefined>
  /** Runs `work` atomically. It may be repeated after a conflict, so it must have no other effects. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The same, and resolves once its result survives a power loss. */
  durably<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Resolves once everything committed so far survives a power loss. */
  durable(): Promise<void>
}

/** Values as JSON that both databases can read: texts without NUL and halves of characters. */
export const asJson = (values: object): string =>
  JSON.stringify(values, (_, value) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
  )
