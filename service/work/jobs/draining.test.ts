import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import { storesOf } from '../../../testing/stores.ts'
import { LIMITS } from '../../store/contract/fixtures.ts'

test('a draining service accepts nothing more, finishes what it can, and requeues the rest', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-drain-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const service = await testService({ ...misbehaving, home })
  const submit = async (word: string) =>
    (await json<{ id: string }>(service.submit('a.jpg', word, 'webp'))).id
  const [ending, hanging] = [await submit('ok 500'), await submit('sleep')]
  const { jobs } = service.services.stores
  const statusOf = async (id: string) => (await jobs.get(id))?.status
  await expect.poll(async () => [await statusOf(ending), await statusOf(hanging)]).not.toContain('Queued')
  const balance = await service.balance()
  expect(await json(service.call('/health/ready', { key: null }))).toEqual({ status: 'ready' })

  const deadline = new AbortController()
  const drained = service.drain(600_000, deadline.signal)
  const ready = await service.call('/health/ready', { key: null })
  expect(ready.status).toBe(503)
  expect(ready.headers.has('retry-after')).toBe(true)
  expect(await json(ready)).toEqual({ status: 'draining' })
  const refused = await service.submit('b.jpg', 'ok', 'webp')
  expect(refused.status).toBe(503)
  expect(refused.headers.has('retry-after')).toBe(true)
  expect(await json(refused)).toMatchObject({ error: 'server.unavailable' })

  await expect.poll(() => statusOf(ending)).toBe('Succeeded')
  deadline.abort()
  await drained
  expect(await statusOf(hanging)).toBe('Running')
  await service.close()
  await using stores = await storesOf(home, LIMITS)
  expect(await stores.jobs.get(hanging)).toMatchObject({ status: 'Queued', attempts: 1 })
  expect((await stores.accounts.owner({ name: 'Owner', credits: 0 })).balance).toBe(balance)
})
