import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { httpsServer } from '../../testing/https.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { json, testService } from '../../testing/service.ts'
import { createOutbound } from '../shared/net/outbound.ts'

/** A span as a collector gets it: opentelemetry-proto, trace/v1/trace.proto, in Protobuf's JSON. */
interface Received {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
  status: { code?: number; message?: string }
}

/** A collector of traces, and all that it was sent. */
async function collector(status = 200) {
  const spans: Received[] = []
  const requests: { path: string | undefined; body: string }[] = []
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    requests.push({ path: request.url, body })
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    reply.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, requests }
}

const nanoseconds = ({ startTimeUnixNano, endTimeUnixNano }: Received) =>
  [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)] as const

test('what is done for a job is one trace, and names nothing of the file', async () => {
  const { url, spans, requests } = await collector()
  const receiver = await httpsServer((_, reply) => reply.end())
  const outbound = createOutbound({ offline: false, transport: receiver.transport })
  const service = await testService({ ...misbehaving, traces: url, outbound })
  const before = BigInt(Date.now()) * 1_000_000n
  const fields = { webhookUrl: `${receiver.origin}/hook`, webhookSecret: 'a secret of the receiver' }
  const { id } = await json<{ id: string }>(service.submit('private name.jpg', 'fine', 'webp', fields))
  const failed = await json<{ id: string }>(service.submit('b.jpg', 'abort', 'webp'))
  await service.finished(id)
  await service.finished(failed.id)
  const { accounts, stores } = service.services
  const owner = (await accounts.owner()).id
  await expect
    .poll(async () => (await stores.webhooks.list(owner, 10)).map(({ state }) => state))
    .toEqual(['delivered'])
  // What was not sent yet is sent at the end.
  await service.close()
  const whole = id.replaceAll('-', '')
  const own = spans.filter(({ traceId }) => traceId === whole)
  expect(own.map(({ name }) => name.replace(/^engine \w+$/, 'engine')).sort()).toEqual([
    'blob checkout',
    'blob put',
    'blob put',
    'claim',
    'engine',
    'run',
    'store succeed',
    'submit',
    'webhook',
  ])
  const root = own.find(({ name }) => name === 'submit')!
  expect(root.parentSpanId).toBeUndefined()
  for (const span of own) {
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    if (span !== root) expect(span.parentSpanId).toBe(root.spanId)
    const [from, to] = nanoseconds(span)
    expect(from >= before - 1_000_000_000n && to >= from && to - from < 60_000_000_000n, span.name).toBe(true)
  }
  const run = spans.find(({ traceId, name }) => name === 'run' && traceId === failed.id.replaceAll('-', ''))
  expect(run?.status).toEqual({ code: 2, message: 'jobs.engine_crashed' })
  expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
  const resource = JSON.parse(requests[0]!.body).resourceSpans[0].resource
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'refile' } })
  for (const word of ['private name', 'files.example', 'a secret', service.key])
    expect(requests.map(({ body }) => body).join('')).not.toContain(word)
})

testFull('nothing is sent unless it is wanted, and a collector that is gone holds nothing up', async () => {
  const { url, requests } = await collector(503)
  const service = await testService({ ...misbehaving, traces: url, offline: true })
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'fine', 'webp'))
  expect(await service.finished(id)).toMatchObject({ status: 'Succeeded' })
  await service.close()
  expect(requests).toEqual([])
  const other = await testService({ ...misbehaving, traces: url })
  const made = await json<{ id: string }>(other.submit('a.jpg', 'fine', 'webp'))
  expect(await other.finished(made.id)).toMatchObject({ status: 'Succeeded' })
  await other.close()
  expect(requests).toHaveLength(1)
})
