import { readdir, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { testService } from '../../../testing/service.ts'

const LIMIT_BYTES = 3_000_000

test('an endless upload is refused while it arrives, and never takes more disk space than the limit', async () => {
  const service = await testService({ ...misbehaving, maxFileBytes: LIMIT_BYTES })
  const incoming = join(service.home, 'incoming')
  let most = 0
  const look = async () => {
    for (const name of await readdir(incoming)) {
      most = Math.max(most, (await stat(join(incoming, name)).catch(() => null))?.size ?? 0)
    }
  }
  const sent = request(`${service.url}/convert`, {
    method: 'POST',
    headers: { 'x-service-api-key': service.key, 'content-type': 'multipart/form-data; boundary=b' },
  })
  sent.on('error', () => {})
  const answered = new Promise<{ status: number; body: string }>(resolve => {
    sent.on('response', async answer => resolve({ status: answer.statusCode ?? 0, body: await text(answer) }))
  })
  sent.write('--b\r\nContent-Disposition: form-data; name="targetFormat"\r\n\r\nwebp\r\n')
  sent.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n')
  let done = false
  void answered.then(() => {
    done = true
  })
  while (!done && !sent.destroyed) {
    sent.write(Buffer.alloc(100_000))
    await look()
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  const { status, body } = await answered
  sent.destroy()
  expect(status).toBe(413)
  expect(JSON.parse(body)).toMatchObject({ error: 'request.file_too_large', megabytes: 3 })
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(LIMIT_BYTES)
  await expect.poll(() => service.filesLeft()).toEqual([])
  expect(await service.balance()).toBe(500)
})
