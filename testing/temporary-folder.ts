/**
 * Gives every test file its own temporary folder, which is deleted with whatever tests and their programs left in it, and takes
 * back what the file stubbed and started: the next one may run in the same process.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import { endFile } from './file-end.ts'

const before = tmpdir()
const folder = mkdtempSync(join(before, 'refile-tests-'))
// A database that tests start as another user must be able to reach its own folder below this one.
chmodSync(folder, 0o711)
process.env.TMPDIR = folder

// Registered before all others, so that it runs last.
afterAll(async () => {
  await endFile()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  process.env.TMPDIR = before
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
