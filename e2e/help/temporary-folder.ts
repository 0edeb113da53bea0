import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { template } from './app.ts'
import { makeFixtures } from './fixtures.ts'

const run = promisify(execFile)

/**
 * Gives all browser tests of a run one temporary folder with the fixtures and accounts, which is deleted with whatever they
 * and their services left in it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-e2e-'))
  // A database server that root starts runs as another user, below it.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  await Promise.all([
    makeFixtures(folder),
    run(process.execPath, [join(import.meta.dirname, 'make-accounts.ts'), template()]),
  ])
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
