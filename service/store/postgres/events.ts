import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { LocalEvents } from '../events.ts'
import type { Events, ServiceEvent } from '../interfaces/events.ts'
import { guid } from '../interfaces/ids.ts'
import type { Sql } from '../sql/sql.ts'
import { connectionTo } from './database.ts'

const CHANNEL = 'refile_events'
/** Largest payload of a notification, which PostgreSQL limits to less than 8,000 bytes. */
const LARGEST_BYTES = 7_900
/** How many events may wait while others are being sent; if the database is out of reach, the oldest are dropped. */
const MAX_WAITING = 1_000
const RECONNECT_MS = 1_000

interface Notification {
  /** The publishing service, which has already received it. */
  from: string
  event: ServiceEvent
}

/**
 * Events of all hosts with the same database, by its notifications. Listeners here get this host's own events at once.
 * While the database is out of reach, those of others are missed.
 */
export class PostgresEvents implements Events {
  readonly #id = guid()
  readonly #url: string
  readonly #sql: Sql
  readonly #here: LocalEvents
  readonly #elsewhere: LocalEvents
  readonly #closing = new AbortController()
  #waiting: string[] = []
  #sending: Promise<void> | undefined
  #client: pg.Client | undefined
  #listening: Promise<void> | undefined

  private constructor(url: string, sql: Sql, onError: (error: unknown) => void) {
    this.#url = url
    this.#sql = sql
    this.#here = new LocalEvents(onError)
    this.#elsewhere = new LocalEvents(onError)
  }

  /** @param onError called with errors of listeners, and if the connection is lost */
  static async open(url: string, sql: Sql, onError: (error: unknown) => void): Promise<PostgresEvents> {
    const events = new PostgresEvents(url, sql, onError)
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
      await this.#sql
        .run(`SELECT pg_notify('${CHANNEL}', event) FROM json_array_elements_text(?::JSON) AS event`, events)
        .catch(() => {})
    }
  }

  async #listen(): Promise<void> {
    const client = new pg.Client(connectionTo(this.#url))
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => {
      const { from, event } = JSON.parse(payload) as Notification
      if (from === this.#id) return
      this.#here.publish(event)
      this.#elsewhere.publish(event)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
  }

  async #stayConnected(onError: (error: unknown) => void): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await new Promise<void>(resolve => this.#client?.once('end', () => resolve()) ?? resolve())
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
