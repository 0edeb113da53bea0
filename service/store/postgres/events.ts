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
/** How often the connection that listens is tried: one that a network has dropped silently resembles one without events. */
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
 * again from what is stored. `close` sends what is still waiting, and receives nothing more.
 * @param onError called with errors of listeners, and if the connection is lost
 * @param heartbeatMs how often the connection is tried, and how long it has to answer
 */
export async function postgresEvents(
  url: string,
  sql: Reading,
  onError: (error: unknown) => void,
  heartbeatMs = HEARTBEAT_MS,
): Promise<Events & { close(): Promise<void> }> {
  const id = guid()
  const here = localEvents(onError)
  const elsewhere = localEvents(onError)
  const closing = new AbortController()
  let waiting: string[] = []
  let sending: Promise<void> | undefined
  let connected: pg.Client | undefined
  /** Resolves when the connection has ended, which it may do before anybody waits for it. */
  let ended: Promise<void> = Promise.resolve()
  /** When the connection last answered, by the clock of the database; undefined before the first. */
  let aliveAt: number | undefined
  let hosts = 1

  const payloadOf = (event: ServiceEvent): string => {
    const whole = JSON.stringify({ from: id, event } satisfies Notification)
    if (Buffer.byteLength(whole) <= LARGEST_BYTES || event.type !== 'progress' || !event.progress)
      return whole
    // The warnings are in the store when the job has ended.
    return JSON.stringify({
      from: id,
      event: { ...event, progress: { ...event.progress, warnings: [] } },
    })
  }

  /** Everything that waits is sent in one statement, and what arrives meanwhile in the next. */
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const events = JSON.stringify(waiting)
      waiting = []
      // Subscribers that must not miss anything read the stores.
      const notified = sql.run`
        SELECT pg_notify(${CHANNEL}, event) FROM json_array_elements_text(${events}::JSON) AS event`
      await notified.catch(() => {})
    }
  }

  const hear = (event: ServiceEvent): void => {
    here.publish(event)
    elsewhere.publish(event)
  }

  /** Each host has one connection that listens. */
  const countHosts = async (client: pg.Client): Promise<void> => {
    const question = { text: COUNT_HOSTS, query_timeout: heartbeatMs }
    const { rows } = await client.query<{ hosts: number }>(question)
    hosts = Math.max(1, rows[0]?.hosts ?? 1)
  }

  /** Tries the connection, and gives it up if it does not answer. */
  const beat = async (client: pg.Client): Promise<void> => {
    const asked = sql.now()
    await countHosts(client).then(
      () => {
        aliveAt = asked
      },
      () => client.end().catch(() => {}),
    )
  }

  /** Announces jobs and batches that were open, or have ended, since a time. */
  const announceSince = async (since: number): Promise<void> => {
    // A queued job that has had an attempt was given back, nobody knows when.
    const jobs = await sql.all`
      SELECT id, account_id, batch_id, attempts, status FROM jobs
      WHERE status = 'Running' OR (status = 'Queued' AND (created_at >= ${since} OR attempts > 0)) OR finished_at >= ${since}
      ORDER BY seq`
    const batches = await sql.all`
      SELECT id, account_id FROM batches WHERE state IN ('active', 'paused') OR finished_at >= ${since}`
    for (const row of jobs) {
      const job = {
        id: String(row.id),
        accountId: String(row.account_id),
        batchId: textOrNull(row.batch_id),
        attempts: Number(row.attempts),
      }
      hear(jobEvent(job, row.status === 'Queued' ? 'queued' : row.status === 'Running' ? 'running' : 'ended'))
    }
    for (const row of batches)
      hear({ type: 'batch', accountId: String(row.account_id), batchId: String(row.id) })
    for (const accountId of new Set(jobs.map(row => String(row.account_id))))
      hear({ type: 'balance', accountId })
  }

  const listen = async (): Promise<void> => {
    const client = new pg.Client({ ...connectionTo(url), application_name: LISTENING })
    client.on('error', () => {})
    const over = new Promise<void>(resolve => client.once('end', () => resolve()))
    client.on('notification', ({ payload = '' }) => {
      const { from, event } = JSON.parse(payload) as Notification
      if (from !== id) hear(event)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
      const listensFrom = sql.now()
      await countHosts(client)
      if (aliveAt !== undefined) await announceSince(aliveAt - MARGIN_MS)
      aliveAt = listensFrom
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    connected = client
    const beating = setInterval(() => void beat(client), heartbeatMs).unref()
    ended = over.then(() => clearInterval(beating))
  }

  const stayConnected = async (): Promise<void> => {
    const { signal } = closing
    while (!signal.aborted) {
      await ended
      connected = undefined
      while (!signal.aborted && !connected) {
        try {
          await listen()
        } catch (error) {
          onError(error)
          await delay(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => {})
        }
      }
    }
  }

  await listen()
  const listening = stayConnected()
  return {
    subscribe: here.subscribe,
    subscribeElsewhere: elsewhere.subscribe,

    get hosts() {
      return hosts
    },

    publish(event) {
      here.publish(event)
      waiting.push(payloadOf(event))
      if (waiting.length > MAX_WAITING) waiting.shift()
      sending ??= send().finally(() => {
        sending = undefined
      })
    },

    async close() {
      await sending
      closing.abort()
      await connected?.end().catch(() => {})
      await listening
    },
  }
}
