import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { announce, askRunning, isAnnounced } from './running.ts'

test.skipIf(process.platform === 'win32')('a suspended service is not waited for', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-running-'))
  await writeFile(join(home, 'service.json'), '{}')
  const server = createServer({ pauseOnConnect: true }).listen(join(home, 'open.sock'))
  onTestFinished(async () => {
    server.close()
    await rm(home, { recursive: true, force: true })
  })
  await new Promise(resolve => server.once('listening', resolve))
  expect(await askRunning(home, 50)).toBeUndefined()
})

test.each(['linux', 'win32'] as const)('on %s, programs of the same user get links', async platform => {
  const home = await mkdtemp(join(tmpdir(), 'refile-running-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const service = { url: 'http://127.0.0.1:1', pid: process.pid }
  const withdraw = await announce(home, service, async () => 'the link', platform)
  expect(await askRunning(home)).toEqual({ ...service, pageUrl: 'the link' })
  const { door } = JSON.parse(await readFile(join(home, 'service.json'), 'utf8'))
  for (const wrong of platform === 'win32' ? ['', 'x', '0'.repeat(64)] : []) {
    const stranger = connect(door.port, '127.0.0.1')
    stranger.on('error', () => {}).end(wrong)
    expect(await text(stranger).catch(() => '')).toBe('')
  }
  expect(await isAnnounced(home, service)).toBe(true)
  expect(await isAnnounced(home, { ...service, url: 'http://127.0.0.1:2' })).toBe(false)
  expect(await isAnnounced(home, { ...service, pid: 2 ** 22 })).toBe(false)
  await withdraw()
  expect(await isAnnounced(home, service)).toBe(false)
  expect(await askRunning(home)).toBeUndefined()
})
