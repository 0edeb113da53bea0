import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type ServiceOptions, startService } from './host.ts'
import { openEmbeddedStores } from './storage/embedded.ts'
import { misbehaving } from './test/misbehaving.ts'
import { json } from './test/service.ts'

async function options(): Promise<ServiceOptions & { home: string }> {
  const home = await mkdtemp(join(tmpdir(), 'refile-host-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return { ...misbehaving, home, port: 0, log: pino({ level: 'silent' }) }
}

/** Processes that this one has started and that still run. */
const children = () =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)])
    .toString()
    .split('\n')
    .filter(line => line.includes('misbehaving-worker'))

/** A start that failed left nothing behind: the next one with the same folder is like a first one. */
async function expectNothingLeft(given: ServiceOptions & { home: string }): Promise<void> {
  await expect(stat(join(given.home, 'service.json'))).rejects.toThrow('ENOENT')
  await expect(stat(join(given.home, 'open.sock'))).rejects.toThrow('ENOENT')
  if (process.platform === 'linux') expect(children()).toEqual([])
  const service = await startService(given)
  expect((await stat(join(given.home, 'service.json'))).isFile()).toBe(true)
  await service.close()
  await expect(stat(join(given.home, 'service.json'))).rejects.toThrow('ENOENT')
}

test('a start whose address cannot be listened at is undone', async () => {
  const given = await options()
  // Set apart for documentation (RFC 5737): no machine has it.
  await expect(startService({ ...given, host: '203.0.113.1' })).rejects.toThrow(
    'REFILE_HOST is not an address',
  )
  await expectNothingLeft(given)
})

test('a start that fails when a job runs already is undone, and the job goes on at the next', async () => {
  const given = await options()
  const first = await startService(given)
  const form = new FormData()
  form.set('targetFormat', 'webp')
  form.set('file', new Blob(['hang']), 'a.jpg')
  const headers = { 'x-service-api-key': await first.createKey('test') }
  const submitted = await fetch(`${first.url}/convert`, { method: 'POST', body: form, headers })
  const { id } = await json<{ id: string }>(submitted)
  await first.close()

  const openStores: ServiceOptions['openStores'] = async (...args) => {
    const stores = await openEmbeddedStores(...args)
    // Asked for after the runner has begun to work.
    stores.blobs.list = async () => {
      await expect.poll(async () => (await stores.jobs.get(id))?.status).toBe('Running')
      return []
    }
    return stores
  }
  await expect(startService({ ...given, openStores, host: '203.0.113.1' })).rejects.toThrow(
    'REFILE_HOST is not an address',
  )
  await expectNothingLeft(given)
})

test('a start whose store fails is undone', async () => {
  const given = await options()
  const openStores: NonNullable<ServiceOptions['openStores']> = async (...args) => {
    const stores = await openEmbeddedStores(...args)
    stores.accounts.owner = () => Promise.reject(new Error('the store fails'))
    return stores
  }
  await expect(startService({ ...given, openStores })).rejects.toThrow('the store fails')
  await expectNothingLeft(given)
})

test('closing twice is closing once', async () => {
  const service = await startService(await options())
  await Promise.all([service.close(), service.close()])
  await expect(fetch(service.url)).rejects.toThrow()
})
