import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService, testService } from '../../../testing/service.ts'

const told = sharedService(misbehaving)

type Accepted = { id: string; creditCost: number }

const form = (steps: unknown, content: string | Uint8Array<ArrayBuffer> = 'then fine', name = 'a.jpg') => {
  const form = new FormData()
  form.set('steps', typeof steps === 'string' ? steps : JSON.stringify(steps))
  form.set('file', new Blob([content]), name)
  return form
}
const targets = (...formats: string[]) => formats.map(targetFormat => ({ targetFormat }))
const submit = (steps: unknown, content?: string, headers: Record<string, string> = {}) =>
  json<Accepted>(told().call('/convert', { method: 'POST', body: form(steps, content), headers }))

testFull('a picture becomes one format after another in one job, for the sum of their prices', async () => {
  const picture = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
  const resize = { preset: 'custom', value: 16 }
  const steps = [{ targetFormat: 'tiff', options: { resize } }, ...targets('pdf', 'jpg')]
  const service = await testService()
  const before = await service.balance()
  const answer = await service.call('/convert/file', {
    method: 'POST',
    body: form(steps, new Uint8Array(picture), 'red.png'),
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toContain('red.jpg')
  const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata()
  expect(format).toBe('jpeg')
  expect((width ?? 0) / (height ?? 1)).toBeCloseTo(2, 0)
  const { estimatedCredits } = await json<{ estimatedCredits: number }>(
    service.call(`/convert/estimate/png/tiff?fileSizeBytes=${picture.length}&furtherTargets=pdf,jpg`),
  )
  expect(estimatedCredits).toBe(3)
  expect(await service.balance()).toBe(before - 3)
  const { jobs } = await json<{ jobs: object[] }>(service.call('/convert/jobs'))
  expect(jobs).toHaveLength(1)
})

test('several files of a step are refused where the next takes one, and paid back', async () => {
  const before = await told().balance()
  const { id, creditCost } = await submit(targets('webp', 'png'), 'several')
  expect(creditCost).toBe(2)
  expect(await told().finished(id)).toMatchObject({
    status: 'Failed',
    error: { code: 'jobs.unsupported_input', detail: expect.stringContaining('Step 1') },
  })
  expect(await told().balance()).toBe(before)
})

test('each step is checked before anything is charged', async () => {
  const before = await told().balance()
  const refused = async (steps: unknown, more: Record<string, string> = {}) => {
    const body = form(steps)
    for (const [name, value] of Object.entries(more)) body.set(name, value)
    const answer = await told().call('/convert', { method: 'POST', body })
    const { error, ...rest } = await json<Record<string, string>>(answer)
    return [answer.status, error, rest.sourceFormat]
  }
  expect(await refused(targets('webp', 'mp3'))).toEqual([400, 'convert.unsupported_format_pair', 'webp'])
  const options = { nonsense: 1 }
  expect(await refused([...targets('webp'), { targetFormat: 'png', options }])).toEqual([
    ...[400, 'convert.invalid_options', undefined],
  ])
  for (const steps of [
    '',
    '[]',
    '{}',
    'x',
    [1],
    [{}],
    [{ targetFormat: 'webp', x: 1 }],
    Array(6).fill({ targetFormat: 'png' }),
  ])
    expect(await refused(steps), JSON.stringify(steps)).toEqual([400, 'convert.invalid_options', undefined])
  expect(await refused(targets('webp'), { targetFormat: 'webp' })).toEqual([
    400,
    'convert.invalid_options',
    undefined,
  ])
  const unfetched = {
    inputUrl: 'https://a.example/a.jpg',
    sourceFormat: 'jpg',
    steps: targets('webp', 'mp3'),
  }
  const headers = { 'content-type': 'application/json' }
  const answer = told().call('/convert', { method: 'POST', body: JSON.stringify(unfetched), headers })
  expect(await json(answer)).toMatchObject({ error: 'convert.unsupported_format_pair' })
  expect(await told().balance()).toBe(before)
})

test('the same steps under one key are one job, others are refused', async () => {
  const headers = { 'idempotency-key': 'steps' }
  const first = await submit(targets('webp', 'png'), 'then fine', headers)
  expect((await submit(targets('webp', 'png'), 'then fine', headers)).id).toBe(first.id)
  expect(await submit(targets('webp', 'avif'), 'then fine', headers)).toMatchObject({
    error: 'convert.idempotency_key_reused',
  })
  const ended = await told().finished(first.id)
  expect(ended).toMatchObject({ status: 'Succeeded', warnings: ['One is lost.', 'Two is missing.'] })
})

test('a job is canceled in any step, and nothing of it remains', async () => {
  const { id } = await submit(targets('webp', 'png'), 'then begin')
  const held = async () => (await told().filesLeft()).filter(path => /step-2/.test(path) || path.includes(id))
  await expect.poll(held).toContainEqual(expect.stringMatching(/step-2\W+begun$/))
  await told().call(`/convert/job/${id}/cancel`, { method: 'POST' })
  expect(await told().finished(id)).toMatchObject({ status: 'Canceled' })
  await expect.poll(held).toEqual([])
})
