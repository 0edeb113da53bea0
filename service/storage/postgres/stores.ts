import { join } from 'node:path'
import type { BlobStore } from '../../stores/blobs.ts'
import type { QueueLimits } from '../../stores/jobs.ts'
import type { Stores } from '../../stores/stores.ts'
import { knownSealer, newSealer, Sealer } from '../sealer.ts'
import type { Statements } from '../sql/sql.ts'
import { databaseStores } from '../sql/stores.ts'
import { Database } from '../sqlite/database.ts'
import { PostgresSql } from './database.ts'
import { PostgresEvents } from './events.ts'

export interface PostgresSettings {
  /** `postgres://…` */
  url: string
  /** Data folder of this host. */
  home: string
  limits: QueueLimits
  /** Where contents of files are kept, which the stores dispose of. */
  blobs: BlobStore
  onError: (error: unknown) => void
  /** The key that all hosts seal with, in Base64; the one in the data folder by default. */
  secretsKey?: string | null
  /** Another clock than the database's own. */
  now?: () => number
}

/**
 * Opens the stores of a PostgreSQL database, which several hosts may share. The data folder of a host is its own, and locked
 * meanwhile.
 * @throws DatabaseInUse when another service has the folder, StoreUnavailable when the database is out of reach
 */
export async function openPostgresStores(settings: PostgresSettings): Promise<Stores> {
  const { url, home, limits, blobs, onError, secretsKey, now } = settings
  await using opening = new AsyncDisposableStack()
  // The embedded database stays as it is, and keeps another service out.
  opening.adopt(new Database(join(home, 'refile.sqlite')), database => database.close())
  const sql = opening.adopt(await PostgresSql.open(url, now), database => database.close())
  const sealer = secretsKey
    ? new Sealer(Buffer.from(secretsKey, 'base64'))
    : ((await knownSealer(home)) ?? (await newSealer(home)))
  await checkSealer(sql, sealer)
  const events = opening.adopt(await PostgresEvents.open(url, sql, onError), each => each.close())
  const opened = opening.move()
  return {
    ...databaseStores(sql, limits, sealer),
    blobs,
    events,
    isShared: true,
    [Symbol.asyncDispose]: async () => {
      await opened.disposeAsync()
      await blobs[Symbol.asyncDispose]()
    },
  }
}

/** Sees to it that all hosts seal with the same key: one with another could read nothing that is sealed. */
export async function checkSealer(sql: Statements, sealer: Sealer): Promise<void> {
  await sql.run(
    'INSERT INTO secrets_check (id, sealed) VALUES (1, ?) ON CONFLICT (id) DO NOTHING',
    sealer.seal({}),
  )
  const row = await sql.get('SELECT sealed FROM secrets_check')
  try {
    sealer.open(String(row?.sealed))
  } catch (error) {
    throw new Error(
      'The other hosts of this database have another secrets.key. Copy theirs into the data folder, or set the same REFILE_SECRETS_KEY on all.',
      { cause: error },
    )
  }
}
