/** A row as either database gives it. */
export type Row = Record<string, string | number | bigint | Uint8Array | null>
export type Value = string | number | null | Uint8Array

export const textOrNull = (value: Row[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

export const numberOrNull = (value: Row[string] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

/** What a statement can ask of a database; its parameters are marked with `?`. */
export interface Statements {
  get(sql: string, ...values: Value[]): Promise<Row | undefined>
  all(sql: string, ...values: Value[]): Promise<Row[]>
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: Value[]): Promise<number>
}

/** Statements that happen together or not at all. */
export interface Transaction extends Statements {
  /**
   * Waits until no other transaction holds the lock of this name, and holds it until this one ends. What is read afterwards
   * is what the one before has left.
   */
  lock(name: string): Promise<void>
}

/** What the two databases say in different words. */
export interface Dialect {
  /** Condition behind a column: it is one of the texts of a JSON array, the parameter. */
  anyOf: string
  /** Behind a table of a query: which index to use. */
  indexedBy(index: string): string
  /** Local day, such as `2026-11-22`, of a column with milliseconds since 1970. */
  localDay(column: string): string
  /** At the end of a query: the rows are changed by nobody else until the transaction ends. */
  locked: string
  /** The same, but rows that another transaction is changing are passed over. */
  skipLocked: string
  /**
   * Statement that claims the job to run next, of the account served longest ago and its oldest, and returns its row. Its
   * parameters are a JSON array of job types to pass over, a JSON object of how many jobs of a type may run, how many of an account may run
   * afterwards, the owner of the lease, the time, and when the lease is over.
   */
  claim: string
}

/** A database, as the stores see it. */
export interface Sql extends Statements {
  readonly dialect: Dialect
  /** Milliseconds since 1970 by the one clock that all leases are measured by. */
  now(): number
  /** Runs `work` wholly or not at all. It may be begun again when others were in its way, so it changes nothing else. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The same, and resolves once its outcome outlasts a loss of power. */
  durably<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Resolves once all that is committed now outlasts a loss of power. */
  durable(): Promise<void>
}
