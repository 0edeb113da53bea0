import { join } from 'node:path'
import { diskBlobs } from './disk/blobs.ts'
import { localEvents } from './events.ts'
import type { BlobStore } from './interfaces/blobs.ts'
import type { QueueLimits } from './interfaces/jobs.ts'
import type { Stores } from './interfaces/stores.ts'
import { type Encrypter, knownEncrypter, newEncrypter, SecretsKeyError } from './sealer.ts'
import type { Sql } from './sql/sql.ts'
import { databaseStores } from './sql/stores.ts'
import { Backups } from './sqlite/backups.ts'
import { openSound } from './sqlite/damage.ts'
import { forgetSealed, hasSealed, isSealedByAnother } from './sqlite/sealed.ts'
import { sqliteSql } from './sqlite/sql.ts'

/**
 * Opens the stores of one machine: SQLite and files below a data folder, which stays locked while they are open.
 * @param onError called for background errors, for a damaged database that was replaced, and for a lost key
 * @param blobs where file contents are kept, disposed of with the stores; by default below the data folder
 * @throws DatabaseInUse if another service uses the folder, SecretsKeyError if its key is not that of the database
 */
export async function openEmbeddedStores(
  home: string,
  limits: QueueLimits,
  onError: (error: unknown) => void,
  blobs: BlobStore = diskBlobs(join(home, 'blobs')),
): Promise<Stores> {
  const path = join(home, 'refile.sqlite')
  const { database, note } = await openSound(path, onError)
  const sql = sqliteSql(database)
  const encrypter = await sealerOf(sql, home, onError).catch(error => {
    database.close()
    throw error
  })
  const backups = new Backups(database, path, onError)
  return {
    ...databaseStores(sql, limits, encrypter),
    blobs,
    events: localEvents(onError),
    isShared: false,
    damage: note,
    [Symbol.asyncDispose]: async () => {
      await backups.stop()
      await sql.settled()
      await sql.durable()
      database.close()
      await blobs[Symbol.asyncDispose]()
    },
  }
}

/** The encrypter of a database: with the key of its data folder, or with a new key if there is none. */
async function sealerOf(sql: Sql, home: string, onError: (error: unknown) => void): Promise<Encrypter> {
  const known = await knownEncrypter(home)
  if (known && (await isSealedByAnother(sql, known)))
    throw new SecretsKeyError(
      'The file secrets.key of the data folder is not the one that its database was written with.',
    )
  if (!known && (await hasSealed(sql))) {
    await forgetSealed(sql)
    onError(
      new Error(
        'The file secrets.key was missing from the data folder, and a new one was made. The options of earlier conversions and the addresses of webhooks are lost; conversions that waited have failed and were refunded. Keys, credits, history and results are as they were.',
      ),
    )
  }
  return known ?? newEncrypter(home)
}
