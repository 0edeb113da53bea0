import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isLiteralAddress, isPublicAddress } from './addresses.ts'
import { createOutbound, type OutboundSettings } from './outbound.ts'
import { guardedTransport, type Transport } from './transport.ts'

/** A server on loopback, and a transport that connects every address to it. */
async function loopback(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const asked: string[] = []
  const transport: Transport = (url, init) => {
    asked.push(url.href)
    return fetch(`http://127.0.0.1:${port}${url.pathname}`, { ...init, redirect: 'manual' })
  }
  return { transport, asked, port }
}

const outboundTo = (transport: Transport, settings: Partial<OutboundSettings> = {}) =>
  createOutbound({ offline: false, transport, ...settings })

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString()
}

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.8.8.8',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:100::1',
  '3fff::1',
  '2620:4f:8000::1',
  '4000::1',
  '5f00::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'nonsense',
  '',
])('%s is not a public address', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
  '%s is public',
  address => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

const spellings = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:0:0:1]',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '0',
  '[::]',
  '10.0.0.1',
  '8.8.8.8',
]

test.each(spellings)('an IP address is refused in any spelling: %s', async host => {
  expect(isLiteralAddress(new URL(`https://${host}/`).hostname)).toBe(true)
  const { transport, asked } = await loopback((_, reply) => reply.end())
  const request = outboundTo(transport)(`https://${host}/`, { maxBytes: 10 })
  await expect(request).rejects.toMatchObject({ code: 'private_address' })
  expect(asked).toEqual([])
})

test('no connection is made to names of this machine, or to names with any private address', async () => {
  let connections = 0
  const server = createSocketServer(socket => {
    connections++
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const real = createOutbound({ offline: false })
  await expect(real(`https://localhost:${port}/`, { maxBytes: 10 })).rejects.toMatchObject({
    code: 'private_address',
  })

  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['192.168.0.9']]) {
    const found = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    const rebound = createOutbound({
      offline: false,
      transport: guardedTransport({ resolve: async () => found }),
    })
    const request = rebound(`https://models.example:${port}/`, { maxBytes: 10 })
    await expect(request).rejects.toMatchObject({ code: 'private_address' })
  }
  expect(connections).toBe(0)
})

test('the connection itself refuses literal addresses', async () => {
  const init = { method: 'GET', headers: {}, signal: new AbortController().signal }
  await expect(guardedTransport()(new URL('https://127.0.0.1:8443/'), init)).rejects.toMatchObject({
    cause: { code: 'private_address' },
  })
})

test.each([
  ['http://example.com/', 'invalid_scheme'],
  ['ftp://example.com/', 'invalid_scheme'],
  ['file:///etc/passwd', 'invalid_scheme'],
  ['data:text/plain,hi', 'invalid_scheme'],
  ['https://user:secret@example.com/', 'invalid_url'],
  ['example.com', 'invalid_url'],
])('%s is refused: %s', async (address, code) => {
  const { transport, asked } = await loopback((_, reply) => reply.end())
  await expect(outboundTo(transport)(address, { maxBytes: 10 })).rejects.toMatchObject({ code })
  expect(asked).toEqual([])
})

test('no request is made offline', async () => {
  const { transport, asked } = await loopback((_, reply) => reply.end())
  const request = outboundTo(transport, { offline: true })('https://example.com/', { maxBytes: 10 })
  await expect(request).rejects.toMatchObject({
    code: 'offline',
    message: expect.stringContaining('REFILE_OFFLINE'),
  })
  expect(asked).toEqual([])
})

test('up to three redirects are followed, each checked like the first request', async () => {
  const { transport, asked } = await loopback((request, reply) => {
    const step = Number(request.url?.slice(1))
    if (step === 3) reply.end('here')
    else reply.writeHead(302, { location: step === 1 ? 'https://cdn.example/2' : `/${step + 1}` }).end()
  })
  const answer = await outboundTo(transport)('https://example.com/0', { maxBytes: 10 })
  expect(await textOf(answer.body)).toBe('here')
  expect(answer.url).toBe('https://cdn.example/3')
  expect(asked).toHaveLength(4)

  const endless = await loopback((_, reply) => reply.writeHead(302, { location: '/again' }).end())
  await expect(outboundTo(endless.transport)('https://example.com/', { maxBytes: 10 })).rejects.toMatchObject(
    {
      code: 'too_many_redirects',
    },
  )
  expect(endless.asked).toHaveLength(4)
})

test.each([
  ['http://example.com/', 'invalid_scheme'],
  ['https://127.0.0.1/', 'private_address'],
  ['//[::1]/', 'private_address'],
  ['file:///etc/passwd', 'invalid_scheme'],
])('a redirect to %s is refused', async (location, code) => {
  const { transport, asked } = await loopback((_, reply) => reply.writeHead(301, { location }).end())
  await expect(outboundTo(transport)('https://example.com/', { maxBytes: 10 })).rejects.toMatchObject({
    code,
  })
  expect(asked).toHaveLength(1)
})

test('a body that is too large is not read, whether its size is announced or not', async () => {
  const announced = await loopback((_, reply) =>
    reply.writeHead(200, { 'content-length': '11' }).end('x'.repeat(11)),
  )
  await expect(
    outboundTo(announced.transport)('https://example.com/', { maxBytes: 10 }),
  ).rejects.toMatchObject({
    code: 'too_large',
  })
  const silent = await loopback((_, reply) => {
    reply.write('x'.repeat(6))
    setTimeout(() => reply.end('x'.repeat(6)), 20)
  })
  const answer = await outboundTo(silent.transport)('https://example.com/', { maxBytes: 10 })
  await expect(textOf(answer.body)).rejects.toMatchObject({ code: 'too_large' })
})

test('a server that does not answer or stops midway is given up', async () => {
  const mute = await loopback(() => {})
  await expect(
    outboundTo(mute.transport, { answerTimeoutMs: 50 })('https://example.com/', { maxBytes: 10 }),
  ).rejects.toMatchObject({
    code: 'timeout',
  })
  const stuck = await loopback((_, reply) => void reply.write('x'))
  const answer = await outboundTo(stuck.transport, { idleTimeoutMs: 50 })('https://example.com/', {
    maxBytes: 10,
  })
  await expect(textOf(answer.body)).rejects.toMatchObject({ code: 'timeout' })
})

test('a host that does not exist is reported with its name only', async () => {
  const failing = vi.fn<Transport>().mockRejectedValue(new TypeError('fetch failed'))
  await expect(
    outboundTo(failing)('https://example.com/secret?key=1', { maxBytes: 10 }),
  ).rejects.toMatchObject({
    code: 'unreachable',
    message: 'example.com could not be reached. Check the connection to the internet and try again.',
  })
})

test("aborting ends the transfer with the signal's reason", async () => {
  const stuck = await loopback((_, reply) => void reply.write('x'))
  const abort = new AbortController()
  const answer = await outboundTo(stuck.transport)('https://example.com/', {
    maxBytes: 10,
    signal: abort.signal,
  })
  const reading = textOf(answer.body)
  setTimeout(() => abort.abort(new Error('canceled')), 20)
  await expect(reading).rejects.toThrow('canceled')
})
