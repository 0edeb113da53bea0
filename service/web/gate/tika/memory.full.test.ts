import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { sharedService } from '../../../../testing/service.ts'

const service = sharedService()
const MiB = 2 ** 20
const line = Buffer.from(`${'Herring and whale '.repeat(58_000)}\n`)

function* text(bytes: number) {
  for (let sent = 0; sent < bytes; sent += line.length) yield line
}

const put = (path: string, bytes: number) =>
  fetch(`${service().url}/key/${service().key}/tika${path}`, {
    method: 'PUT',
    body: Readable.toWeb(Readable.from(text(bytes))) as never,
    headers: { 'content-disposition': 'attachment; filename="a.txt"', accept: 'text/plain' },
    duplex: 'half',
  } as RequestInit)

testFull('half a gigabyte of text passes without being held, and is not put into JSON', async () => {
  await (await put('/tika', MiB)).text()
  let most = 0
  const watch = setInterval(() => {
    const { external, heapUsed } = process.memoryUsage()
    most = Math.max(most, external + heapUsed)
  }, 20)
  const { external, heapUsed } = process.memoryUsage()
  const answer = await put('/tika', 500 * MiB)
  let received = 0
  for await (const chunk of answer.body!) received += chunk.length
  clearInterval(watch)
  expect([answer.status, received]).toEqual([200, Math.ceil((500 * MiB) / line.length) * line.length])
  expect((most - external - heapUsed) / MiB).toBeLessThan(150)
  expect((await put('/rmeta/text', 70 * MiB)).status).toBe(413)
  const [facts] = await (await put('/rmeta/ignore', MiB)).json()
  expect(facts).toMatchObject({ 'Content-Type': 'text/plain', resourceName: 'a.txt' })
})
