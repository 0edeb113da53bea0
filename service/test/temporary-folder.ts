/** Gives every test file a temporary folder of its own, which goes with what tests and the programs they started left in it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'refile-tests-'))
// A database that tests start as another user has to reach its own folder below.
chmodSync(folder, 0o711)
process.env.TMPDIR = folder

// Set up before all others, so that it is the last to run.
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
