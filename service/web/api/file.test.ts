import { expect, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService } from '../../../testing/service.ts'

const service = sharedService(misbehaving)

const send = (text: string, headers: Record<string, string> = {}, target = 'webp') => {
  const form = new FormData()
  form.set('targetFormat', target)
  form.set('file', new Blob([text]), 'Käse.jpg')
  return service().call('/convert/file', { method: 'POST', body: form, headers })
}

test('the answer is the output with its name, and its job is kept as any other', async () => {
  const before = await service().balance()
  const answer = await send('fine', { range: 'bytes=0-0' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain')
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''K%C3%A4se.out")
  expect(answer.headers.get('x-service-warnings')).toBeNull()
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(await service().balance()).toBe(before - 1)
  const download = await service().call(answer.headers.get('content-location') ?? '')
  expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes)
  expect(bytes.length).toBeGreaterThan(0)
})

test('warnings are in a header that every client can read', async () => {
  const answer = await send('warn')
  expect(answer.status).toBe(200)
  const header = answer.headers.get('x-service-warnings') ?? ''
  expect(header).toMatch(/^[ -~]+$/)
  const { warnings } = await json(
    service().call((answer.headers.get('content-location') ?? '').replace('/download', '')),
  )
  expect(JSON.parse(header)).toEqual(warnings)
})

test('a refusal is that of a submission, a failure says who is to blame, and what takes long goes on', async () => {
  const refusal = async (answer: Promise<Response>) => [(await answer).status, (await json(answer)).error]
  expect(await refusal(send('fine', {}, 'mp3'))).toEqual([400, 'convert.unsupported_format_pair'])
  expect(await refusal(send('fail-with-cause'))).toEqual([422, 'jobs.corrupt_input'])
  expect(await refusal(send('throw'))).toEqual([500, 'jobs.engine_crashed'])
  const late = await send('sleep', { prefer: 'wait=1' })
  expect(late.status).toBe(503)
  expect(late.headers.get('retry-after')).toBe('2')
  expect(await json(late)).toMatchObject({ error: 'jobs.unfinished' })
  const address = late.headers.get('location') ?? ''
  expect(await json(service().call(address))).toMatchObject({ status: 'Running' })
  await service().call(`${address}/cancel`, { method: 'POST' })
})

test('the jobs of a key are listed page by page, newest first, by status and time', async () => {
  const { id: accountId } = await service().services.accounts.owner()
  const { secret: key } = await service().services.keys.create(accountId, { name: 'own' })
  const ids: string[] = []
  for (const text of ['fine', 'throw', 'fine']) {
    const { id } = await json<{ id: string }>(service().submit('a.jpg', text, 'webp', {}, key))
    await service().finished(id)
    ids.unshift(id)
  }
  const page = async (query: string) => {
    const { jobs, next } = await json<{ jobs: { id: string }[]; next: number | null }>(
      service().call(`/convert/jobs${query}`, { key }),
    )
    return { ids: jobs.map(({ id }) => id), next, jobs }
  }
  const all = await page('')
  expect(all).toMatchObject({ ids, next: null })
  expect(all.jobs[0]).toMatchObject({
    ...{ status: 'Succeeded', job: 'image.jpg-to-webp', fileName: 'a.jpg' },
    output: { fileName: 'a.out' },
    metrics: { creditCost: 1 },
    createdAt: expect.stringMatching(/Z$/),
  })
  const first = await page('?limit=2')
  expect(first.ids).toEqual(ids.slice(0, 2))
  expect(await page(`?limit=2&cursor=${first.next}`)).toMatchObject({ ids: ids.slice(2), next: null })
  expect((await page('?status=Failed')).ids).toEqual([ids[1]])
  expect((await page('?since=2026-11-01T00:00:00Z')).ids).toEqual(ids)
  expect((await page('?since=2999-01-01T00:00:00Z')).ids).toEqual([])
  for (const query of ['?since=yesterday', '?status=Done', '?limit=0', '?cursor=x'])
    expect((await service().call(`/convert/jobs${query}`, { key })).status, query).toBe(400)
})
