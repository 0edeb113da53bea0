import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../testing/servers/postgres.ts'
import { type S3Server, startS3 } from '../../testing/servers/s3.ts'

interface Shared {
  /** A temporary folder for the data folders of hosts. */
  folder: string
  storage: S3Server
  postgres: PostgresServer
}

/** A folder, a storage and a durable database for hosts; `stack` ends them and deletes the folder. */
export async function startShared(stack: AsyncDisposableStack): Promise<Shared> {
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'refile-bench-')), path =>
    rm(path, { recursive: true, force: true, maxRetries: 3 }),
  )
  const storage = stack.use(await startS3(join(folder, 's3')))
  const postgres = stack.use(await startPostgres({ isDurable: true }))
  return { folder, storage, postgres }
}
