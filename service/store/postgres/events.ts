import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { localEvents } from '../events.ts'
import { type Events, jobEvent, type ServiceEvent } from '../interfaces/events.ts'
import { guid } from '../interfaces/ids.ts'
import { type Sql, textOrNull } from '../sql/sql.ts'
import { connectionTo } from './database.ts'

const CHANNEL = 'refile_events'
/** What the connections that listen are called. */
const LISTENING = 'refile events'
const COUNT_HOSTS = `SELECT COUNT(*)::INT AS hosts FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = '${LISTENING}'`
/** Largest payload of a notification, which PostgreSQL limits to less than 8,000 bytes. */
const LARGEST_BYTES = 7_900
/** How many events may wait while others are being sent; if the database is out of reach, the oldest are dropped. */
const MAX_WAITING = 1_000
const RECONNECT_MS = 1_000
/** How often the connection that listens is tried: one that a network has dropped silently looks like one without events. */
const HEARTBEAT_MS = 10_000
/** What happened this long before the last sign of life is read again: its notification may have been on its way. */
const MARGIN_MS = 2_000

/** What is needed of the database besides its notifications. */
type Reading = Pick<Sql, 'now' | 'run' | 'all'>

interface Notification {
  /** The publishing service, which has already received it. */
  from: string
  event: ServiceEvent
}

/**
 * Events of all hosts with the same database, by its notifications. Listeners here get this host's own events at once.
 * While the connection is lost, those of others are missed: once it is back, jobs and batches that may have changed are announced
 * again from what is stored.
 */
export class PostgresEvents implements Events {
  readonly #id = guid()
  readonly #url: string
  readonly #sql: Reading
  readonly #here: Events
  readonly #elsewhere: Events
  readonly #closing = new AbortController()
  #waiting: string[] = []
  #sending: Promise<void> | undefined
  #client: pg.Client | undefined
  /** Resolves when the connection has ended, which it may do before anybody waits for it. */
  #ended: Promise<void> = Promise.resolve()
  #listening: Promise<void> | undefined
  readonly #heartbeatMs: number
  /** When the connection last answered, by the clock of the database; undefined before the first. */
  #aliveAt: number | undefined
  #hosts = 1

  private constructor(url: string, sql: Reading, onError: (error: unknown) => void, heartbeatMs: number) {
    this.#heartbeatMs = heartbeatMs
    this.#url = url
    this.#sql = sql
    this.#here = localEvents(onError)
    this.#elsewhere = localEvents(onError)
  }

  /**
   * @param onError called with errors of listeners, and if the connection is lost
   * @param heartbeatMs how often the connection is tried, and how long it has to answer
   */
  static async open(
    url: string,
    sql: Reading,
    onError: (error: unknown) => void,
    heartbeatMs = HEARTBEAT_MS,
  ): Promise<PostgresEvents> {
    const events = new PostgresEvents(url, sql, onError, heartbeatMs)
    await events.#listen()
    events.#listening = events.#stayConnected(onError)
    return events
  }

  publish(event: ServiceEvent): void {
    this.#here.publish(event)
    this.#waiting.push(this.#payloadOf(event))
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  subscribe(listener: (event: ServiceEvent) => void): () => void {
    return this.#here.subscribe(listener)
  }

  subscribeElsewhere(listener: (event: ServiceEvent) => void): () => void {
    return this.#elsewhere.subscribe(listener)
  }

  get hosts(): number {
    return this.#hosts
  }

  /** Sends what is still waiting, and receives nothing more. */
  async close(): Promise<void> {
    await this.#sending
    this.#closing.abort()
    await this.#client?.end().catch(() => {})
    await this.#listening
  }

  #payloadOf(event: ServiceEvent): string {
    const whole = JSON.stringify({ from: this.#id, event } satisfies Notification)
    if (Buffer.byteLength(whole) <= LARGEST_BYTES || event.type !== 'progress' || !event.progress)
      return whole
    // The warnings are in the store when the job has ended.
    return JSON.stringify({
      from: this.#id,
      event: { ...event, progress: { ...event.progress, warnings: [] } },
    })
  }

  /** Everything that waits is sent in one statement, and what arrives meanwhile in the next. */
  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const events = JSON.stringify(this.#waiting)
      this.#waiting = []
      // Subscribers that must not miss anything read the stores.
      const notified = this.#sql.run`
        SELECT pg_notify(${CHANNEL}, event) FROM json_array_elements_text(${events}::JSON) AS event`
      await notified.catch(() => {})
    }
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({ ...connectionTo(this.#url), application_name: LISTENING })
    client.on('error', () => {})
    const ended = new Promise<void>(resolve => client.once('end', () => resolve()))
    client.on('notification', ({ payload = '' }) => {
      const { from, event } = JSON.parse(payload) as Notification
      if (from !== this.#id) this.#hear(event)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
      const listensFrom = this.#sql.now()
      await this.#countHosts(client)
      if (this.#aliveAt !== undefined) await this.#announceSince(this.#aliveAt - MARGIN_MS)
      this.#aliveAt = listensFrom
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
    const beating = setInterval(() => void this.#beat(client), this.#heartbeatMs).unref()
    this.#ended = ended.then(() => clearInterval(beating))
  }

  /** Tries the connection, and gives it up if it does not answer. */
  async #beat(client: pg.Client): Promise<void> {
    const asked = this.#sql.now()
    await this.#countHosts(client).then(
      () => {
        this.#aliveAt = asked
      },
      () => client.end().catch(() => {}),
    )
  }

  /** Each host has one connection that listens. */
  async #countHosts(client: pg.Client): Promise<void> {
    const question = { text: COUNT_HOSTS, query_timeout: this.#heartbeatMs }
    const { rows } = await client.query<{ hosts: number }>(question)
    this.#hosts = Math.max(1, rows[0]?.hosts ?? 1)
  }

  #hear(event: ServiceEvent): void {
    this.#here.publish(event)
    this.#elsewhere.publish(event)
  }

  /** Announces jobs and batches that were open, or have ended, since a time. */
  async #announceSince(since: number): Promise<void> {
    // A queued job that has had an attempt was given back, nobody knows when.
    const jobs = await this.#sql.all`
      SELECT id, account_id, batch_id, attempts, status FROM jobs
      WHERE status = 'Running' OR (status = 'Queued' AND (created_at >= ${since} OR attempts > 0)) OR finished_at >= ${since}
      ORDER BY seq`
    const batches = await this.#sql.all`
      SELECT id, account_id FROM batches WHERE state IN ('active', 'paused') OR finished_at >= ${since}`
    for (const row of jobs) {
      const job = {
        id: String(row.id),
        accountId: String(row.account_id),
        batchId: textOrNull(row.batch_id),
        attempts: Number(row.attempts),
      }
      this.#hear(
        jobEvent(job, row.status === 'Queued' ? 'queued' : row.status === 'Running' ? 'running' : 'ended'),
      )
    }
    for (const row of batches)
      this.#hear({ type: 'batch', accountId: String(row.account_id), batchId: String(row.id) })
    for (const accountId of new Set(jobs.map(row => String(row.account_id))))
      this.#hear({ type: 'balance', accountId })
  }

  async #stayConnected(onError: (error: unknown) => void): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#ended
      this.#client = undefined
      while (!signal.aborted && !this.#client) {
        try {
          await this.#listen()
        } catch (error) {
          onError(error)
          await delay(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => {})
        }
      }
    }
  }
}
