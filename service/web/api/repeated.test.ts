import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService, type TestService, testService } from '../../../testing/service.ts'

const service = sharedService(misbehaving)

interface Answer {
  status: number
  applied: string | null
  body: { id: string; status: string; creditCost?: number; error: string }
}

async function send(
  to: TestService,
  headers: Record<string, string>,
  { text = 'fine', name = 'a.jpg', target = 'webp', options = '{}' } = {},
): Promise<Answer> {
  const form = new FormData()
  form.set('targetFormat', target)
  form.set('options', options)
  form.set('file', new Blob([text]), name)
  const answer = await to.call('/convert', { method: 'POST', body: form, headers })
  return {
    status: answer.status,
    applied: answer.headers.get('preference-applied'),
    body: await json<Answer['body']>(answer),
  }
}

const under = (key: string) => ({ 'idempotency-key': key })

test('the same request under the same key gets the same answer and makes one job, also when sent at once', async () => {
  const before = await service().balance()
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(service(), under('one'))))
  expect(answers[0]).toMatchObject({ status: 202, body: { status: 'Queued', creditCost: 1 } })
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(await service().balance()).toBe(before - 1)
  await service().finished(answers[0]!.body.id)
  expect(await send(service(), under('one'))).toEqual(answers[0])
  await expect.poll(() => service().filesLeft()).toHaveLength(1)
})

test('anything else under the same key is refused, and costs nothing', async () => {
  await send(service(), under('two'))
  const before = await service().balance()
  for (const other of [
    { text: 'fin3' },
    { name: 'b.jpg' },
    { target: 'png' },
    { options: '{"quality":3}' },
  ]) {
    const { status, body } = await send(service(), under('two'), other)
    expect({ status, error: body.error }).toEqual({ status: 422, error: 'convert.idempotency_key_reused' })
  }
  expect(await service().balance()).toBe(before)
  expect(await send(service(), under('k'.repeat(256)))).toMatchObject({
    status: 400,
    body: { error: 'request.invalid_parameter' },
  })
})

testFull('a key is known after a restart', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-repeated-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const first = await testService({ ...misbehaving, home })
  const answer = await send(first, under('three'))
  await first.close()
  expect(await send(await testService({ ...misbehaving, home }), under('three'))).toEqual(answer)
})

test('with `Prefer: wait` the answer is the job, if it ends in time', async () => {
  const done = await send(service(), { prefer: 'respond-async, wait=30' })
  expect(done).toMatchObject({ status: 200, applied: 'wait=30', body: { status: 'Succeeded' } })
  const failed = await send(service(), { prefer: 'wait=900' }, { text: 'fail-with-cause' })
  expect(failed).toMatchObject({
    status: 200,
    applied: 'wait=60',
    body: { status: 'Failed', error: { code: 'jobs.corrupt_input' } },
  })
  const started = performance.now()
  const late = await send(service(), { prefer: 'wait=1' }, { text: 'sleep' })
  expect(late).toMatchObject({ status: 202, applied: 'wait=1', body: { status: 'Queued' } })
  expect(performance.now() - started).toBeGreaterThan(900)
  await service().call(`/convert/job/${late.body.id}/cancel`, { method: 'POST' })
  expect(await send(service(), { prefer: 'handling=strict' })).toMatchObject({ status: 202, applied: null })
})
