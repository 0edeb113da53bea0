import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { httpsServer } from '../../../../testing/https.ts'
import { misbehaving } from '../../../../testing/misbehaving.ts'
import { PUBLIC_ADDRESS } from '../../../../testing/servers/https.ts'
import { type TestService, testService } from '../../../../testing/service.ts'
import { createOutbound } from '../../../shared/net/outbound.ts'

interface Received {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
  at: number
}

/** A service, and a receiver that answers with these statuses in turn, then with 200; `cdn.example` leads into a private network. */
async function withReceiver(...statuses: number[]) {
  const received: Received[] = []
  const server = await httpsServer(async (request, reply) => {
    const { method, url: path, headers } = request
    received.push({ method, path, headers, body: await text(request), at: performance.now() })
    reply.writeHead(statuses.shift() ?? 200).end()
  })
  const transport = server.transportWith({
    resolve: async host => [{ address: host === 'cdn.example' ? '10.0.0.7' : PUBLIC_ADDRESS, family: 4 }],
  })
  const outbound = createOutbound({ offline: false, transport })
  const service = await testService({ ...misbehaving, outbound })
  return { service, received, at: (path: string) => server.origin.replace('files', 'hooks') + path }
}

function flatten(service: TestService, content: string, headers: Record<string, string>, key = service.key) {
  const form = new FormData()
  for (const name of ['a', 'b'].slice(0, content.split('|').length))
    form.append('files', new Blob([content.split('|').at(name === 'a' ? 0 : 1) ?? '']), `${name}.pdf`)
  const named = Object.entries(headers).map(([name, value]) => [`gotenberg-${name}`, value])
  return fetch(`${service.url}/gotenberg/forms/pdfengines/flatten`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}`, ...Object.fromEntries(named) },
  })
}

const arrived = (received: Received[], count: number) =>
  vi.waitFor(() => expect(received).toHaveLength(count), { timeout: 20_000 })

testFull(
  'the result goes to its address as the client wishes, again if the receiver is busy, and then the news of it',
  async () => {
    const { service, received, at } = await withReceiver(503)
    const answer = await flatten(service, 'fine', {
      trace: 'abc',
      'output-filename': 'foo',
      'webhook-url': at('/done?signature=1'),
      'webhook-method': 'put',
      'webhook-events-url': at('/events'),
      'webhook-extra-http-headers': JSON.stringify({
        'X-Own': 'yes',
        Host: 'other.example',
        'Content-Length': '1',
      }),
    })
    expect([answer.status, answer.headers.get('gotenberg-trace')]).toEqual([204, 'abc'])
    await arrived(received, 3)
    const [busy, done, event] = received
    expect(done!.at - busy!.at).toBeGreaterThan(900)
    const body = await (await fetch(`${service.url}/key/${service.key}/gotenberg/version`)).text()
    expect(body).toMatch(/^8\./)
    expect(done).toMatchObject({
      ...{ method: 'PUT', path: '/done?signature=1', body: busy?.body },
      headers: {
        'x-own': 'yes',
        'content-type': 'text/plain',
        'content-length': String(done?.body.length),
        'content-disposition': expect.stringContaining('foo.out'),
        'gotenberg-trace': 'abc',
        host: expect.stringContaining('hooks.example'),
      },
    })
    expect(done?.body).toContain('fine')
    expect(event).toMatchObject({
      method: 'POST',
      path: '/events',
      headers: { 'content-type': 'application/json' },
    })
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ event: 'webhook.success', correlationId: 'abc' })
    await expect.poll(service.filesLeft).not.toContainEqual(expect.stringContaining('incoming'))
  },
)

testFull('several files go as a ZIP; what fails is said to the address of errors', async () => {
  const { service, received, at } = await withReceiver()
  const to = {
    'webhook-url': at('/done'),
    'webhook-error-url': at('/error'),
    'webhook-error-method': 'PATCH',
  }
  await flatten(service, 'fine|fine', to)
  await arrived(received, 1)
  expect(received[0]).toMatchObject({ path: '/done', headers: { 'content-type': 'application/zip' } })
  expect(received[0]?.body).toMatch(/^PK/)
  await flatten(service, 'fail-with-cause', to)
  await arrived(received, 2)
  expect(received[1]).toMatchObject({ method: 'PATCH', path: '/error' })
  expect(JSON.parse(received[1]?.body ?? '')).toEqual({
    status: 400,
    message: expect.stringMatching(/damaged|read/i),
  })
})

test('no webhook reaches this machine or its network', async () => {
  const { service, received, at } = await withReceiver()
  const good = { 'webhook-url': at('/done'), 'webhook-events-url': at('/events') }
  const refused = async (headers: Record<string, string>, key?: string) => {
    const answer = await flatten(service, 'fine', { ...good, ...headers }, key)
    return [answer.status, await answer.text()]
  }
  for (const name of ['webhook-url', 'webhook-error-url', 'webhook-events-url'])
    for (const url of [
      at('/').replace('https', 'http'),
      'https://127.0.0.1/',
      'https://[::ffff:7f00:1]/',
      'https://localhost/',
      'https://nas.local/',
      'file:///etc/passwd',
      'https://a:b@hooks.example/',
      'x',
    ])
      expect(await refused({ [name]: url }), url).toEqual([400, expect.stringMatching(new RegExp(name, 'i'))])
  expect(await refused({ 'webhook-method': 'DELETE' })).toEqual([400, expect.stringContaining('DELETE')])
  for (const headers of ['x', '[1]', '{"a":1}', '{"a b":"c"}', '{"a":"b\\nc"}'])
    expect(await refused({ 'webhook-extra-http-headers': headers }), headers).toEqual([
      400,
      expect.any(String),
    ])
  const { 'webhook-events-url': _, ...silent } = good
  expect((await flatten(service, 'fine', silent)).status).toBe(400)
  expect(received).toEqual([])
  // A name that leads into a private network is only found out on the way.
  const inside = at('/inside').replace('hooks', 'cdn')
  expect((await flatten(service, 'fine', { ...good, 'webhook-url': inside })).status).toBe(204)
  await arrived(received, 1)
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    event: 'webhook.error',
    error: { status: 400, message: expect.stringContaining('cdn.example') },
  })
  const offline = await testService({ ...misbehaving, offline: true })
  expect((await flatten(offline, 'fine', good)).status).toBe(400)
})

test('a service that stops leaves no webhook behind', async () => {
  const { service, received, at } = await withReceiver()
  await flatten(service, 'sleep', { 'webhook-url': at('/done'), 'webhook-error-url': at('/error') })
  const started = performance.now()
  await service.close()
  expect(performance.now() - started).toBeLessThan(5000)
  expect(received).toEqual([])
})
