/** Gives every test file its own temporary folder, which is deleted with whatever tests and their programs left in it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'refile-tests-'))
// A database that tests start as another user must be able to reach its own folder below this one.
chmodSync(folder, 0o711)
process.env.TMPDIR = folder

// Registered before all others, so that it runs last.
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
