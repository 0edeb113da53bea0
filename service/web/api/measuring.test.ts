/** Files that take long to measure block nobody else, and cost nothing if the caller has gone. */
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { onePagePdf } from '../../../testing/pdf.ts'
import { json, testService } from '../../../testing/service.ts'

const form = (content: string) => {
  const data = new FormData()
  data.set('targetFormat', 'wav')
  data.set('file', new Blob([content]), 'a.mp3')
  return data
}

test('a caller that disconnects while its file is measured is charged nothing', async () => {
  const service = await testService(misbehaving)
  const before = await service.balance()
  const controller = new AbortController()
  const submitted = service.call('/convert', {
    method: 'POST',
    body: form('measure 900'),
    signal: controller.signal,
  })
  await delay(400)
  controller.abort()
  await expect(submitted).rejects.toThrow()
  await expect.poll(() => service.services.pool.size).toBe(0)
  await delay(900)
  expect(await service.balance()).toBe(before)
  expect(await service.filesLeft()).toEqual([])
})

test('an account without credits is refused before its file is measured', async () => {
  const service = await testService({ ...misbehaving, freeCredits: 0 })
  const answer = await service.call('/convert', { method: 'POST', body: form('measure 60000') })
  expect(answer.status).toBe(402)
  expect(await json<{ error: string }>(answer)).toMatchObject({ error: 'entitlements.insufficient_credits' })
  expect(service.services.pool.size).toBe(0)
})

testFull('slow files of one account block neither another account nor /health', async () => {
  const service = await testService(misbehaving)
  const other = await service.services.accounts.create('Other')
  const { secret } = await service.services.keys.create(other.id, { name: 'other' })
  const done: string[] = []
  const slow = Array.from({ length: 6 }, () =>
    service.call('/convert', { method: 'POST', body: form('measure 600') }).then(() => done.push('slow')),
  )
  await delay(300)
  const quick = service
    .call('/convert', { method: 'POST', body: form('measure 0'), key: secret })
    .then(answer => {
      expect(answer.status).toBe(202)
      done.push('quick')
    })
  const health = fetch(`${service.url}/health`).then(() => done.push('health'))
  await Promise.all([...slow, quick, health])
  // Two files are measured at once; the other account gets the first free place.
  expect(done.indexOf('quick')).toBeLessThanOrEqual(3)
  expect(done.indexOf('health')).toBeLessThanOrEqual(2)
})

test('a file is inspected for nothing, and nothing of it is kept', async () => {
  const service = await testService()
  const before = await service.balance()
  const form = new FormData()
  form.set('file', new Blob(['a,b\n1,2\n']), 'table.csv')
  const answer = await service.call('/convert/inspect', { method: 'POST', body: form })
  expect(answer.status).toBe(200)
  const { targets, ...file } = await json<{ targets: { targetFormat: string }[] }>(answer)
  expect(file).toMatchObject({ format: 'csv', fileName: 'table.csv', bytes: 8, problem: null })
  expect(targets).toContainEqual({ targetFormat: 'xlsx', job: 'document.csv-to-xlsx', estimatedCredits: 1 })
  expect([await service.balance(), await service.filesLeft()]).toEqual([before, []])
  form.set('file', new Blob(['?']), 'x.nothing')
  const unknown = await json(service.call('/convert/inspect', { method: 'POST', body: form }))
  expect(unknown).toMatchObject({ format: null, targets: [] })
  expect(unknown).not.toHaveProperty('thumbnail')
})

testFull('a file is inspected with a picture of it, of the size that is asked for', async () => {
  const service = await testService()
  const look = async (name: string, content: string | Buffer, edge: number | string = 200) => {
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
    const answer = await service.call(`/convert/inspect?thumbnail=${edge}`, { method: 'POST', body })
    return [answer.status, (await json<{ thumbnail?: string }>(answer)).thumbnail] as const
  }
  const red = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer()
  const [status, address = ''] = await look('red.jpg', red)
  expect([status, address]).toEqual([200, expect.stringMatching(/^data:image\/webp;base64,/)])
  const picture = sharp(Buffer.from(address.split(',')[1] ?? '', 'base64'))
  expect(await picture.metadata()).toMatchObject({ format: 'webp', width: 200, height: 100 })
  expect((await picture.stats()).dominant).toMatchObject({ r: 248, g: 8, b: 8 })
  const [, page] = await look('page.pdf', onePagePdf('BT ET'), 64)
  expect(await sharp(Buffer.from(page?.split(',')[1] ?? '', 'base64')).metadata()).toMatchObject({
    width: 64,
    height: 32,
  })
  expect(await look('table.csv', 'a,b\n')).toEqual([200, null])
  expect(await look('broken.jpg', red.subarray(0, 200))).toEqual([200, null])
  for (const edge of [0, 5000, 'x']) expect((await look('red.jpg', red, edge))[0]).toBe(400)
  expect(await service.filesLeft()).toEqual([])
})
