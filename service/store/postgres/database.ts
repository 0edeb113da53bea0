import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { OutcomeUnknown, StoreUnavailable } from '../interfaces/errors.ts'
import { schemaOf } from '../schema.ts'
import {
  asJson,
  fragment,
  type Row,
  type Sql,
  type Statement,
  type Statements,
  type Transaction,
  type Value,
} from '../sql/sql.ts'
import { DatabaseClock } from './clock.ts'
import { dialect } from './dialect.ts'

/** PostgreSQL's words for the types of tables that are in SQLite's. */
const postgresTypes = (tables: string): string =>
  tables
    .replaceAll('INTEGER PRIMARY KEY AUTOINCREMENT', 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY')
    .replaceAll('INTEGER', 'BIGINT')
    .replaceAll('REAL', 'DOUBLE PRECISION')
    .replaceAll('BLOB', 'BYTEA')
    .replaceAll(/^\) STRICT.*;$/gm, ');')

export const { migrations, functions } = schemaOf('postgres', postgresTypes)
/**
 * The oldest version of the schema whose hosts can work with the newest. What they use is only taken away, renamed or narrowed by a
 * later release than the one that stopped using it, which raises this number. Version 2 does too: a host of the first would end a job after its
 * first step.
 */
export const USABLE_FROM = 2

/** Maximum number of connections of a host, besides the one that listens. */
const CONNECTIONS = 10
/** Longer than an idle host pauses between two questions, for which it would else connect each time. */
const IDLE_CONNECTION_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
/** No statement takes this long on a healthy database. Shorter than a lease, so that a host knows when it has lost its own. */
const STATEMENT_TIMEOUT_MS = 15_000
/** A migration of the schema, or of a data folder, may take this long, and hosts that start meanwhile wait for it. */
const MIGRATION_TIMEOUT_MS = 600_000
/** Longest pause between two statements of a transaction: what a host holds that is suspended or gone is free again after it. */
const IDLE_MS = 5_000

/** Settings of each connection, enforced by the database, which alone can notice that a host has vanished. */
const sessionSettings: Readonly<Record<string, string | number>> = {
  // A function sees what was committed before each of its statements, whatever the database prefers.
  default_transaction_isolation: 'read\\ committed',
  idle_in_transaction_session_timeout: IDLE_MS,
  // Longer than whoever is idle can keep a lock, and shorter than this host waits for an answer.
  lock_timeout: 2 * IDLE_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS - 1_000,
  // A host whose machine or network is gone is noticed after 25 seconds.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 25_000,
}
/** Times that a statement or transaction is started when others were in its way. */
const MAX_ATTEMPTS = 10
const LONGEST_PAUSE_MS = 20

/** PostgreSQL's codes for conflicting transactions: a deadlock, a serialization failure. */
const CONFLICT_CODES = new Set(['40P01', '40001'])
/**
 * Codes that are unrelated to the statement: shutting down, starting, too many connections, read-only after a failover, one of the
 * timeouts above, and those of sockets and names.
 */
const outOfReach =
  /^(08...|57P0[123]|57014|55P03|25P03|53300|25006|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/
/** The driver's errors without a code. */
const driverLost =
  /^(Connection terminated|Query read timeout|timeout exceeded|Client (was closed|has encountered))/

const INT8 = 20
const JSON_TEXT = 114
/** Integers stay below 2^53, and readers parse JSON themselves. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === INT8 ? Number : type === JSON_TEXT ? String : pg.types.getTypeParser(type, format),
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

const unavailable = (cause: unknown) => new StoreUnavailable('The database is out of reach.', { cause })

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable) return error
  return outOfReach.test(codeOf(error)) || driverLost.test(error.message) ? unavailable(error) : error
}

/** Whether the database itself has answered that it did not do what it was asked, instead of ending the session. */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !codeOf(error).startsWith('57P')

function maybeCommitted(error: unknown): unknown {
  return asUnavailable(error) instanceof StoreUnavailable
    ? new OutcomeUnknown('The database is out of reach, and may have committed.', { cause: error })
    : error
}

const numberedSql = new Map<string, string>()

/** A statement with `$1`, `$2` … instead of its question marks; `?1` is a parameter that is JSON. */
function numbered(sql: string): string {
  let text = numberedSql.get(sql)
  if (text === undefined) {
    let count = 0
    text = sql.replace(/\?(\d?)/g, (_, json) => (json ? `$${json}::JSON` : `$${++count}`))
    numberedSql.set(sql, text)
  }
  return text
}

/** A value as it can be stored: PostgreSQL texts cannot contain NUL. */
const storable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value

type Ask = (query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>

/** Statements that are passed to `ask`. */
function statements(ask: Ask): Statements {
  const query = async (statement: Statement) => {
    const { text, values } = fragment(...statement)
    try {
      return await ask({ text: numbered(text), values: values.map(storable) })
    } catch (error) {
      throw asUnavailable(error)
    }
  }
  return {
    get: async (...statement) => (await query(statement)).rows[0],
    all: async (...statement) => (await query(statement)).rows,
    run: async (...statement) => (await query(statement)).rowCount ?? 0,
  }
}

/** Repeats work that conflicted with other transactions; the database has rolled it back. */
async function retryAfterConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!CONFLICT_CODES.has(codeOf(error)) || attempt === MAX_ATTEMPTS) throw error
      await delay(Math.random() * LONGEST_PAUSE_MS * attempt)
    }
  }
}

/** How a connection is made, including the one that listens. */
export const connectionTo = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  application_name: 'refile',
  options: Object.entries(sessionSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
  types,
})

/** A PostgreSQL database behind the interface of the stores: a pool of connections that reconnect by themselves. */
export class PostgresSql implements Sql {
  readonly dialect = dialect
  readonly #pool: pg.Pool
  readonly get: Statements['get']
  readonly all: Statements['all']
  readonly run: Statements['run']
  /** The same, for what must not be done twice: they say if they may have been committed. */
  readonly #unrepeatable: Statements
  readonly #clock: DatabaseClock
  readonly now: () => number

  private constructor(url: string, now?: () => number) {
    this.#pool = new pg.Pool({
      ...connectionTo(url),
      max: CONNECTIONS,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
    })
    // Losing an idle connection does no harm.
    this.#pool.on('error', () => {})
    // A connection lost between two statements is reported with the next one.
    this.#pool.on('connect', client => void client.on('error', () => {}))
    const repeatable = statements(query =>
      retryAfterConflict(() => this.#withClient(client => client.query<Row>(query))),
    )
    ;({ get: this.get, all: this.all, run: this.run } = repeatable)
    this.#unrepeatable = statements(query =>
      retryAfterConflict(() =>
        this.#withClient(client =>
          client.query<Row>(query).catch(error => {
            throw isRefusal(error) ? error : maybeCommitted(error)
          }),
        ),
      ),
    )
    this.#clock = new DatabaseClock(async () => {
      const row = await this.get('SELECT extract(epoch FROM clock_timestamp())::FLOAT8 * 1000 AS now')
      return Number(row?.now)
    })
    this.now = now ?? (() => this.#clock.now())
  }

  /**
   * Connects to the database and brings its schema up to date; of several hosts, the first one does that.
   * @param now a clock other than the database's own
   * @throws StoreUnavailable if it is out of reach
   */
  static async open(url: string, now?: () => number): Promise<PostgresSql> {
    const sql = new PostgresSql(url, now)
    try {
      await sql.#clock.set()
      await sql.patiently(migrate)
      return sql
    } catch (error) {
      await sql.close()
      if (!(error instanceof StoreUnavailable)) throw error
      const why = error.cause instanceof Error ? error.cause.message : ''
      throw new StoreUnavailable(`The PostgreSQL database is out of reach: ${why}`, {
        cause: error,
      })
    }
  }

  async check(): Promise<void> {
    // A standby, or a server that was demoted, answers every question and takes nothing.
    const row = await this.get(
      `SELECT current_setting('transaction_read_only') AS read_only, usable_from FROM refile_schema`,
    )
    if (row?.read_only === 'on') throw new StoreUnavailable('The database can only be read: it is a standby.')
    if (Number(row?.usable_from) > migrations.length)
      throw new StoreUnavailable(tooNew(Number(row?.usable_from)))
  }

  async inOneGo(lock: string, statements: readonly string[], values: object): Promise<Row | undefined> {
    const script = JSON.stringify(statements.map(numbered))
    return this.#unrepeatable.get('SELECT * FROM in_one_go(?, ?, ?)', lock, script, asJson(values))
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return retryAfterConflict(() => this.#attempt(work))
  }

  /** The same, with time for statements that change or copy whole tables. */
  patiently<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const patient = async (tx: Transaction) => {
      for (const timeout of ['lock_timeout', 'statement_timeout'])
        await tx.run(`SET LOCAL ${timeout} = ${MIGRATION_TIMEOUT_MS}`)
      return work(tx)
    }
    return retryAfterConflict(() => this.#attempt(patient, MIGRATION_TIMEOUT_MS))
  }

  async #attempt<T>(work: (tx: Transaction) => Promise<T>, timeoutMs = STATEMENT_TIMEOUT_MS): Promise<T> {
    return this.#withClient(async client => {
      const own = statements(query =>
        client.query<Row>({ ...query, query_timeout: timeoutMs } as pg.QueryConfig),
      )
      const lock = async (name: string) => {
        await own.get('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', name)
      }
      try {
        await own.run('BEGIN ISOLATION LEVEL READ COMMITTED')
        const result = await work({ ...own, lock })
        await own.run('COMMIT').catch(error => {
          throw maybeCommitted(error)
        })
        return result
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) await own.run('ROLLBACK')
        throw error
      }
    })
  }

  /** Lends a connection, and drops it if it is lost. */
  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    // Whatever the reason for refusing a connection, such as a database being restored, the caller cannot fix it.
    const client = await this.#pool.connect().catch(error => {
      throw unavailable(error)
    })
    let isLost = false
    try {
      return await work(client)
    } catch (error) {
      isLost = asUnavailable(error) instanceof StoreUnavailable
      throw error
    } finally {
      client.release(isLost)
    }
  }

  /** Committed data already survives a power loss. */
  durably<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work)
  }

  async durable(): Promise<void> {}

  async close(): Promise<void> {
    this.#clock.stop()
    await this.#pool.end()
  }
}

async function migrate(tx: Transaction): Promise<void> {
  await tx.lock('schema')
  const encoding = await tx.get`SELECT current_setting('server_encoding') AS name`
  if (encoding?.name !== 'UTF8') throw new Error('The PostgreSQL database is not encoded in UTF8.')
  await tx.run`
    CREATE TABLE IF NOT EXISTS refile_schema (version BIGINT NOT NULL, usable_from BIGINT NOT NULL)`
  const schema = await tx.get`SELECT * FROM refile_schema`
  const version = Number(schema?.version ?? 0)
  if (version === 0 && (await hasTables(tx)))
    throw new Error('The PostgreSQL database holds something else. Give Refile one of its own.')
  if (Number(schema?.usable_from ?? 0) > migrations.length) throw new Error(tooNew(version))
  // Beside hosts of a newer version, which has only added to the schema.
  if (version >= migrations.length) return
  for (const sql of [...migrations.slice(version), ...functions]) await tx.run(sql)
  await tx.run`DELETE FROM refile_schema`
  await tx.run`INSERT INTO refile_schema (version, usable_from) VALUES (${migrations.length}, ${USABLE_FROM})`
}

const tooNew = (version: number): string =>
  `The data was written by a newer version of Refile (schema ${version}). Update Refile.`

/** Whether there are tables that are not Refile's; those of extensions do not count. */
async function hasTables(tx: Transaction): Promise<boolean> {
  const other = await tx.get`
    SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND relname <> 'refile_schema'
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') LIMIT 1`
  return other !== undefined
}
