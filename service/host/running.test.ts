import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { askRunning } from './running.ts'

test.skipIf(process.platform === 'win32')('a suspended service is not waited for', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-running-'))
  const server = createServer({ pauseOnConnect: true }).listen(join(home, 'open.sock'))
  onTestFinished(async () => {
    server.close()
    await rm(home, { recursive: true, force: true })
  })
  await new Promise(resolve => server.once('listening', resolve))
  expect(await askRunning(home, 50)).toBeUndefined()
})
