/**
 * PostgreSQL and S3 for whatever tests start with a data folder of its own: with `REFILE_TEST_STORES=postgres+s3`, or after
 * `useSharedStores`.
 */
import { vi } from 'vitest'
import { readBlobPlace } from '../service/shared/blob-place.ts'
import type { Config } from '../service/shared/config.ts'
import { openBlobs } from '../service/store/blobs.ts'
import { onFileEnd } from './file-end.ts'
import { type PostgresServer, startPostgres } from './servers/postgres.ts'
import { anyCredentials, type S3Server, startS3 } from './servers/s3.ts'

const SHARED = 'postgres+s3'

/** Settings of a service's stores, as options and as variables of its environment. */
interface StoreSettings {
  options: Partial<Pick<Config, 'databaseUrl' | 'blobs'>>
  environment: Record<string, string>
}

interface Servers {
  database: PostgresServer
  storage: S3Server
}

let servers: Promise<Servers> | undefined
/** One data folder has one database, however often a service is started with it. */
const settings = new Map<string, Promise<StoreSettings>>()

/** Whether tests run on PostgreSQL and S3. */
export const onSharedStores = (): boolean => process.env.REFILE_TEST_STORES === SHARED

/** Has the tests of this file run on PostgreSQL and S3. Call it before the tests are declared. */
export function useSharedStores(): void {
  vi.stubEnv('REFILE_TEST_STORES', SHARED)
}

/** The stores of a data folder; none of their own in SQLite and on disk, where the folder itself says it all. */
export function storesFor(home: string): Promise<StoreSettings> {
  if (!onSharedStores()) return Promise.resolve({ options: {}, environment: {} })
  let known = settings.get(home)
  if (!known) {
    known = newStores()
    settings.set(home, known)
  }
  return known
}

async function newStores(): Promise<StoreSettings> {
  servers ??= startServers()
  const { database, storage } = await servers
  const databaseUrl = await database.createDatabase()
  const { bucket, prefix, endpoint } = storage.place()
  const blobs = `s3://${bucket}/${prefix}?endpoint=${endpoint}&style=path&region=us-east-1`
  return {
    options: { databaseUrl, blobs: readBlobPlace(blobs) ?? null },
    environment: { REFILE_DATABASE_URL: databaseUrl, REFILE_BLOBS: blobs },
  }
}

async function startServers(): Promise<Servers> {
  for (const [name, value] of Object.entries(anyCredentials)) vi.stubEnv(name, value)
  const [database, storage] = await Promise.all([startPostgres(), startS3()])
  onFileEnd(async () => {
    servers = undefined
    settings.clear()
    await database[Symbol.asyncDispose]()
    await storage[Symbol.asyncDispose]()
  })
  return { database, storage }
}

/** Keys of all contents of files that belong to jobs or staged files of a data folder. */
export async function contentsOf(home: string): Promise<string[]> {
  const { options } = await storesFor(home)
  await using blobs = await openBlobs({ home, blobs: options.blobs ?? null })
  const keys: string[] = []
  for (const area of ['jobs', 'files']) {
    for (const id of await blobs.list(area)) {
      for (const name of await blobs.list(`${area}/${id}`)) keys.push(`${area}/${id}/${name}`)
    }
  }
  return keys
}
