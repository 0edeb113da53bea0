import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from './client.ts'
import { retryAfterSeconds } from './errors.ts'
import { onSignedOut } from './signed-out.ts'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.fn(
    async (_path: string, _init: RequestInit) =>
      new Response(status === 204 ? null : JSON.stringify(body), { status, headers }),
  )

test('sends JSON with the session and reads JSON', async () => {
  const send = answer(200, { balance: 7 })
  expect(await createClient(send).topUp(7)).toEqual({ balance: 7 })
  const [path, init] = send.mock.calls[0]!
  expect(path).toBe('/app/credits/top-up')
  expect(init.method).toBe('POST')
  expect(JSON.parse(String(init.body))).toEqual({ amount: 7 })
})

test('an error has a code, a detail and the seconds to wait', async () => {
  const send = answer(429, { error: 'queue.limit_exceeded', detail: 'Full.' }, { 'retry-after': '12' })
  await expect(
    createClient(send).createBatch({ fileIds: ['f'], targetFormat: 'webp' }),
  ).rejects.toMatchObject({
    status: 429,
    code: 'queue.limit_exceeded',
    detail: 'Full.',
    retryAfter: 12,
  })
})

test('an answer that is not the envelope is still an ApiError', async () => {
  const send = vi.fn(async () => new Response('<html>', { status: 502 }))
  await expect(createClient(send).about()).rejects.toMatchObject({
    status: 502,
    code: 'http.502',
    detail: null,
  })
})

test('a missing answer is reported as such', async () => {
  const send = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(createClient(send).about()).rejects.toMatchObject({ status: 0, code: 'client.unreachable' })
})

test('401 is reported to the frame', async () => {
  const listener = vi.fn()
  const stop = onSignedOut(listener)
  await createClient(answer(401, { error: 'session.required', detail: null }))
    .session()
    .catch(() => {})
  stop()
  expect(listener).toHaveBeenCalledOnce()
})

test('ids are escaped and pages are requested', async () => {
  const send = answer(200, { items: [], next: null })
  const client = createClient(send)
  await client.jobs({ before: '7', limit: 10 })
  await client.cancel('a/b')
  expect(send.mock.calls.map(call => call[0])).toEqual([
    '/app/jobs?limit=10&before=7',
    '/convert/job/a%2Fb/cancel',
  ])
})

test('files that share a list of targets have it all', async () => {
  const targets = [[{ target: 'webp' }], []]
  const files = ['a', 'b', 'c'].map((id, place) => ({ id, targets: Math.floor(place / 2) }))
  const client = createClient(answer(200, { files, targets }))
  const read = [await client.stagedFiles(), await client.findFiles(['a', 'b', 'c'])]
  for (const found of read) expect(found.map(file => file.targets)).toEqual([targets[0], targets[0], []])
})

test('batches are created, paged through and paused with their own routes', async () => {
  const send = answer(200, {})
  const client = createClient(send)
  await client.createBatch({ fileIds: ['f1', 'f2'], targetFormat: 'webp' })
  await client.batchItems('b/1', { after: 'i9', limit: 100 })
  await client.pauseBatch('b1')
  await client.stageLocalFile({ path: '/home/me/a.png', relativePath: 'trip/a.png' })
  expect(send.mock.calls.map(([path, init]) => [init.method, path, init.body])).toEqual([
    ['POST', '/app/batches', '{"fileIds":["f1","f2"],"targetFormat":"webp"}'],
    ['GET', '/app/batches/b%2F1/items?limit=100&after=i9', undefined],
    ['POST', '/app/batches/b1/pause', undefined],
    ['POST', '/app/files', '{"path":"/home/me/a.png","relativePath":"trip/a.png"}'],
  ])
})

test('what creates or adds to a batch is sent again if its answer is lost, under the same key', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const send = answer(200, {})
  const client = createClient(send)
  for (const act of [
    () => client.createBatch({ fileIds: ['f'], targetFormat: 'webp' }),
    () => client.appendFiles('b', ['f']),
  ]) {
    send.mockReset()
    send.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    send.mockResolvedValueOnce(new Response('{"error":"server.unavailable"}', { status: 503 }))
    send.mockResolvedValueOnce(new Response('{}'))
    const done = act()
    await vi.runAllTimersAsync()
    await done
    const keys = send.mock.calls.map(
      ([, { headers }]) => (headers as Record<string, string>)['idempotency-key'],
    )
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
    send.mockReset()
    send.mockResolvedValue(new Response('{"error":"server.internal_error"}', { status: 500 }))
    await expect(act()).rejects.toMatchObject({ status: 500 })
    expect(send).toHaveBeenCalledOnce()
  }
  // Another press is another batch.
  const keyOf = async () => {
    const sent = answer(200, {})
    await createClient(sent).createBatch({ fileIds: ['f'], targetFormat: 'webp' })
    return (sent.mock.calls[0]![1].headers as Record<string, string>)['idempotency-key']
  }
  expect(await keyOf()).not.toBe(await keyOf())
})

test('Retry-After may be a date', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(retryAfterSeconds('Fri, 20 Nov 2026 12:00:30 GMT', now)).toBe(30)
  expect(retryAfterSeconds('soon', now)).toBeNull()
  expect(retryAfterSeconds(null, now)).toBeNull()
})
