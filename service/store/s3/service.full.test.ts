import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { s3Server } from '../../../testing/s3.ts'
import { json, testService } from '../../../testing/service.ts'
import { s3Blobs } from './blobs.ts'

const server = s3Server({ AWS_MAX_ATTEMPTS: '1' })
const SINGLE_ATTEMPT = { connectMs: 20_000, silenceMs: 20_000, attempts: 1 }

test('a service keeps files in a bucket, waits while it is out of reach, and charges nothing then', async () => {
  const place = server().place()
  const service = await testService({ ...misbehaving, blobs: place })
  const bucket = s3Blobs(place, '', SINGLE_ATTEMPT)

  // The storage is unavailable when the input is needed, and when the output is stored.
  let left = 2
  server().failing(({ method, url = '' }) =>
    ((method === 'GET' && url.includes('/input')) || url.includes('/output')) && left-- > 0 ? 500 : undefined,
  )
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'ok', 'webp'))
  expect(await service.finished(id)).toMatchObject({ status: 'Succeeded' })
  expect(left).toBeLessThanOrEqual(0)
  const output = await service.call(`/convert/job/${id}/download`)
  expect(await output.text()).toMatch(/^ok done by/)

  // For playing a recording, only the requested range is fetched.
  const { call, drop, post } = await openApp(service)
  const { id: recording } = await json<{ id: string }>(drop('a.mp3', '0123456789'))
  const before = server().requests.length
  const part = await call(`/app/preview/media/staged/${recording}`, { headers: { range: 'bytes=2-4' } })
  expect([part.status, await part.text()]).toEqual([206, '234'])
  const fetched = server()
    .requests.slice(before)
    .filter(({ line }) => line.startsWith('GET'))
  expect(fetched.map(({ headers }) => headers.range)).toEqual(['bytes=2-4'])
  await post('/app/files/remove', { ids: [recording] })
  await expect.poll(() => bucket.list(`jobs/${id}`)).toEqual(['output-1'])
  expect(await service.filesLeft()).toEqual([])
  expect(await readdir(join(service.home, 'checkouts'))).toEqual([])

  const balance = await service.balance()
  server().failing(() => 503)
  const refused = await service.submit('b.jpg', 'ok', 'webp')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await json(refused)).toMatchObject({ error: 'server.unavailable' })
  const download = await service.call(`/convert/job/${id}/download`)
  expect(download.status).toBe(503)
  const ready = await service.call('/health/ready', { key: null })
  expect(ready.status).toBe(503)
  expect(await json(ready)).toEqual({ status: 'unavailable' })
  server().failing(() => undefined)
  expect((await service.call('/health/ready', { key: null })).status).toBe(200)
  expect(await service.balance()).toBe(balance)
  expect(await bucket.list('jobs')).toEqual([id])
  await service.close()

  // Another database would treat everything there as strays.
  await expect(testService({ ...misbehaving, blobs: place })).rejects.toThrow('belongs to another database')
})

test('downloads can be left to the storage', async () => {
  const service = await testService({ ...misbehaving, blobs: server().place({ linkSeconds: 60 }) })
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'ok', 'webp'))
  await service.finished(id)
  const answer = await service.call(`/convert/job/${id}/download`, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  expect(await (await fetch(answer.headers.get('location') ?? '')).text()).toMatch(/^ok done by/)
})
