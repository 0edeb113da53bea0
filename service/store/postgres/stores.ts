import { join } from 'node:path'
import type { AccountStore } from '../interfaces/accounts.ts'
import type { BlobStore } from '../interfaces/blobs.ts'
import type { QueueLimits } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import { Encrypter, knownEncrypter, newEncrypter } from '../sealer.ts'
import { accountStore } from '../sql/accounts.ts'
import type { Statements } from '../sql/sql.ts'
import { databaseStores } from '../sql/stores.ts'
import { Database } from '../sqlite/database.ts'
import { PostgresSql } from './database.ts'
import { postgresEvents } from './events.ts'

export interface PostgresSettings {
  /** `postgres://…` */
  url: string
  /** Data folder of this host. */
  home: string
  limits: QueueLimits
  /** Where contents of files are stored; the stores dispose of it. */
  blobs: BlobStore
  onError: (error: unknown) => void
  /** The key with which all hosts encrypt, in Base64; the one in the data folder by default. */
  secretsKey?: string | null
  /** A clock other than the database's own. */
  now?: () => number
}

/**
 * Opens the stores of a PostgreSQL database, which several hosts may share. Each host has its own data folder, which is
 * locked meanwhile.
 * @throws DatabaseInUse if another service uses the folder, StoreUnavailable if the database is out of reach
 */
export async function openPostgresStores(settings: PostgresSettings): Promise<Stores> {
  const { url, home, limits, blobs, onError, secretsKey, now } = settings
  await using opening = new AsyncDisposableStack()
  // The embedded database keeps another service out, and is not changed: it may be the data of a machine that was used alone, and the
  // version before may come back.
  opening.adopt(new Database(join(home, 'refile.sqlite'), { migrate: false }), database => database.close())
  const sql = opening.adopt(await PostgresSql.open(url, now), database => database.close())
  const encrypter = secretsKey
    ? new Encrypter(Buffer.from(secretsKey, 'base64'))
    : ((await knownEncrypter(home)) ?? (await newEncrypter(home)))
  await checkSealer(sql, encrypter)
  const events = opening.adopt(await postgresEvents(url, sql, onError), each => each.close())
  const opened = opening.move()
  return {
    ...databaseStores(sql, limits, encrypter),
    blobs,
    events,
    isShared: true,
    [Symbol.asyncDispose]: async () => {
      await opened.disposeAsync()
      await blobs[Symbol.asyncDispose]()
    },
  }
}

/** Opens only the accounts of a database, which hosts may be using. */
export async function openPostgresAccounts(
  url: string,
): Promise<AsyncDisposable & { accounts: AccountStore }> {
  const sql = await PostgresSql.open(url)
  return { accounts: accountStore(sql), [Symbol.asyncDispose]: () => sql.close() }
}

/** Makes sure that all hosts encrypt with the same key: one with another key could not read encrypted values. */
export async function checkSealer(sql: Statements, encrypter: Encrypter): Promise<void> {
  await sql.run`
    INSERT INTO secrets_check (id, sealed) VALUES (1, ${encrypter.encrypt({})}) ON CONFLICT (id) DO NOTHING`
  const row = await sql.get`SELECT sealed FROM secrets_check`
  if (!encrypter.opens(String(row?.sealed)))
    throw new Error(
      'The other hosts of this database have another secrets.key. Copy theirs into the data folder, or set the same REFILE_SECRETS_KEY on all.',
    )
}
