import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobPlace } from '../../shared/blob-place.ts'
import { PostgresSql } from '../postgres/database.ts'
import { checkSealer } from '../postgres/stores.ts'
import { Encrypter, knownEncrypter, SecretsKeyError } from '../sealer.ts'
import type { Statements, Transaction } from '../sql/sql.ts'
import { hasSealed, isSealedByAnother } from '../sqlite/sealed.ts'
import { type CopiedContents, copyContents, placeOf } from './contents.ts'
import { HomeDatabase } from './home.ts'
import { copyTable } from './rows.ts'
import { type DatabaseTable, tablesOf } from './tables.ts'

export interface Migration {
  /** Data folder of one machine. */
  home: string
  /** The database to migrate to: `postgres://…`. */
  to: string
  /** Where file contents are copied to; null leaves them where they are. */
  blobs: BlobPlace | null
  /** Where the settings say that file contents are kept. */
  blobsOfSettings: BlobPlace | null
  /** The key that hosts are configured to encrypt with, in Base64. */
  secretsKey: string | null
  /** Called after each step. */
  report: (line: string) => void
}

export type Migrated =
  | {
      kind: 'done'
      /** Number of migrated rows, by table. */
      rows: Map<string, number>
      /** Number of accounts, and the sum of their credits. */
      sums: { accounts: number; credits: number }
      /** undefined if file contents stay where they are. */
      contents: CopiedContents | undefined
      /** Whether hosts need the key of the data folder. */
      isSealed: boolean
    }
  /** The data folder was migrated to this database before. */
  | {
      kind: 'done before'
      at: Date
      /** Whether the data folder has been used since then. */
      isBehind: boolean
    }

/** Name of the owner's setting that records when the data folder was migrated, and its highest numbers at that time. */
const MARK = 'migrated'

/**
 * Migrates the data folder of one machine to an empty PostgreSQL database. File contents are copied first, which can be
 * repeated; then all rows are copied in one transaction, so the database gets all of them or none. If it is interrupted at any
 * point, it can be started again. The data folder is only read.
 * @throws DatabaseInUse, SecretsKeyError, StoreUnavailable, and errors that say why nothing was migrated
 */
export async function migrate({ home: folder, to, report, ...settings }: Migration): Promise<Migrated> {
  using home = new HomeDatabase(folder)
  const encrypter = await sealerOf(home, folder, settings.secretsKey)
  const owner = await home.get`SELECT id FROM accounts ORDER BY rowid LIMIT 1`
  if (!owner) throw new Error(`There is nothing in the data folder ${folder} yet.`)
  const ownerId = String(owner.id)

  await using opened = new AsyncDisposableStack()
  const database = opened.adopt(await PostgresSql.open(to), each => each.close())
  const tables = await tablesOf(home, database)
  const before = await doneBefore(home, database, tables, ownerId)
  if (before) return before

  const passing = opened.adopt(await mkdtemp(join(tmpdir(), 'refile-migrate-')), path =>
    rm(path, { recursive: true, force: true }),
  )
  let contents: CopiedContents | undefined
  if (settings.blobs) {
    const place = await placeOf(home, ownerId, settings.blobsOfSettings)
    contents = await copyContents(home, ownerId, { home: folder, place }, settings.blobs, passing)
    report(`contents of files: ${contents.number}`)
  }
  return await database.patiently(async (tx): Promise<Migrated> => {
    // A host that starts meanwhile waits before it creates an account.
    await tx.lock('owner')
    const meanwhile = await doneBefore(home, tx, tables, ownerId)
    if (meanwhile) return meanwhile
    if (encrypter) await checkSealer(tx, encrypter)
    // Balances and other sums are copied as they are, and compared with the ledger below.
    await tx.run`ALTER TABLE ledger DISABLE TRIGGER ledger_moves_sums`
    const rows = new Map<string, number>()
    for (const table of tables) {
      rows.set(table.name, await copyTable(tx, home, table))
      report(`${table.name}: ${rows.get(table.name)}`)
    }
    await tx.run`ALTER TABLE ledger ENABLE TRIGGER ledger_moves_sums`
    const sums = await checkSums(tx)
    // No job runs any more: the first host that starts recovers these jobs, as after a crash.
    await tx.run`UPDATE jobs SET lease_expires_at = 0 WHERE status = 'Running'`
    const mark = JSON.stringify({ at: Date.now(), numbers: await lastNumbers(home) })
    await tx.run`
      INSERT INTO settings (account_id, name, value) VALUES (${ownerId}, ${MARK}, ${mark})`
    return { kind: 'done', rows, sums, contents, isSealed: encrypter !== undefined }
  })
}

/** @throws SecretsKeyError if hosts could not read what the data folder has sealed */
async function sealerOf(home: HomeDatabase, folder: string, ofHosts: string | null) {
  const encrypter = await knownEncrypter(folder)
  if (!encrypter) {
    if (await hasSealed(home))
      throw new SecretsKeyError('The file secrets.key is missing from the data folder.')
    return undefined
  }
  if (await isSealedByAnother(home, encrypter))
    throw new SecretsKeyError('The file secrets.key is not the one that the data folder was written with.')
  if (ofHosts !== null && !new Encrypter(Buffer.from(ofHosts, 'base64')).opens(encrypter.encrypt({})))
    throw new Error(
      'REFILE_SECRETS_KEY is not the secrets.key of the data folder: hosts could read nothing that it has sealed. Set it to that, or leave it out.',
    )
  return encrypter
}

/**
 * Whether a database already has this data folder; undefined if it is empty.
 * @throws if it holds anything else
 */
async function doneBefore(
  home: HomeDatabase,
  database: Statements,
  tables: readonly DatabaseTable[],
  ownerId: string,
): Promise<Migrated | undefined> {
  const mark = await database.get`SELECT value FROM settings WHERE account_id = ${ownerId} AND name = ${MARK}`
  if (mark) {
    const { at, numbers } = JSON.parse(String(mark.value)) as { at: number; numbers: unknown }
    const isBehind = JSON.stringify(numbers) !== JSON.stringify(await lastNumbers(home))
    return { kind: 'done before', at: new Date(at), isBehind }
  }
  for (const { name } of tables) {
    if (await database.get(`SELECT 1 FROM ${name} LIMIT 1`))
      throw new Error('The database holds other data of Refile. Name one that is empty.')
  }
  return undefined
}

/** The highest numbers of ledger and jobs, which increase with use. */
async function lastNumbers(home: HomeDatabase): Promise<unknown> {
  return home.get`
    SELECT (SELECT max(id) FROM ledger) AS ledger, (SELECT seq FROM sqlite_sequence WHERE name = 'jobs') AS jobs`
}

/** @throws if a balance, or the spending of a key, is not the sum of its ledger */
async function checkSums(tx: Transaction): Promise<{ accounts: number; credits: number }> {
  const wrong = await tx.get`
    SELECT id FROM accounts
    WHERE balance <> coalesce((SELECT SUM(amount) FROM ledger WHERE account_id = accounts.id), 0)
    UNION ALL
    SELECT key_id FROM (SELECT key_id, SUM(spent) AS spent FROM key_spending GROUP BY key_id) AS sums
    WHERE spent <> coalesce((SELECT -SUM(amount) FROM ledger
                             WHERE ledger.key_id = sums.key_id AND kind IN ('charge', 'refund')), 0)
    LIMIT 1`
  if (wrong) throw new Error(`What ${wrong.id} has is not the sum of its ledger.`)
  const row = await tx.get`
    SELECT COUNT(*) AS accounts, coalesce(SUM(balance), 0)::BIGINT AS credits FROM accounts`
  return { accounts: Number(row?.accounts), credits: Number(row?.credits) }
}
