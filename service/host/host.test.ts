import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { json } from '../../testing/service.ts'
import { openEmbeddedStores } from '../store/embedded.ts'
import { type ServiceOptions, startService } from './host.ts'

async function options(): Promise<ServiceOptions & { home: string }> {
  const home = await mkdtemp(join(tmpdir(), 'refile-host-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return { ...misbehaving, home, port: 0, log: pino({ level: 'silent' }) }
}

/** Processes started by this one that are still running. */
const children = () =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)])
    .toString()
    .split('\n')
    .filter(line => line.includes('misbehaving-worker'))

/** A failed start left nothing behind: the next one with the same folder works like a first one. */
async function expectNothingLeft(given: ServiceOptions & { home: string }): Promise<void> {
  await expect(stat(join(given.home, 'service.json'))).rejects.toThrow('ENOENT')
  await expect(stat(join(given.home, 'open.sock'))).rejects.toThrow('ENOENT')
  if (process.platform === 'linux') expect(children()).toEqual([])
  const service = await startService(given)
  expect((await stat(join(given.home, 'service.json'))).isFile()).toBe(true)
  await service.close()
  await expect(stat(join(given.home, 'service.json'))).rejects.toThrow('ENOENT')
}

test('a start whose address cannot be listened on is undone', async () => {
  const given = await options()
  // Reserved for documentation (RFC 5737), so no machine has it.
  await expect(startService({ ...given, host: '203.0.113.1' })).rejects.toThrow(
    'REFILE_HOST is not an address',
  )
  await expectNothingLeft(given)
})

testFull(
  'a start that fails while a job is already running is undone, and the job continues at the next start',
  async () => {
    const given = await options()
    const first = await startService(given)
    const form = new FormData()
    form.set('targetFormat', 'webp')
    form.set('file', new Blob(['sleep']), 'a.jpg')
    const headers = { 'x-service-api-key': await first.createKey('test') }
    const submitted = await fetch(`${first.url}/convert`, { method: 'POST', body: form, headers })
    const { id } = await json<{ id: string }>(submitted)
    await first.close()

    const openStores: ServiceOptions['openStores'] = async (...args) => {
      const stores = await openEmbeddedStores(...args)
      // Called after the runner has started working.
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
  },
)

testFull('a start whose store fails is undone', async () => {
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
