import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { httpsServer } from '../../../testing/https.ts'
import { PUBLIC_ADDRESS } from '../../../testing/servers/https.ts'
import { createOutbound, type OutboundSettings } from './outbound.ts'
import type { Resolver } from './resolver.ts'
import type { Transport } from './transport.ts'

const clientOf = (transport: Transport, settings: Partial<OutboundSettings> = {}) =>
  createOutbound({ offline: false, transport, ...settings })

const textOf = async (body: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(body)).toString()

/** Resolves to one address after the other; the last one is repeated. */
const answering = (...addresses: string[]): Resolver => {
  let count = 0
  return async () => {
    const address = addresses[Math.min(count++, addresses.length - 1)] ?? ''
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  }
}

test('a file from a public host arrives over TLS, with the host name checked against the certificate', async () => {
  const server = await httpsServer((_, reply) => reply.end('content'))
  const answer = await clientOf(server.transport)(`${server.origin}/a.txt`, { maxBytes: 10 })
  expect(await textOf(answer.body)).toBe('content')
  const other = `https://stranger.example:${server.port}/`
  await expect(clientOf(server.transport)(other, { maxBytes: 10 })).rejects.toMatchObject({
    code: 'unreachable',
  })
  const untrusted = clientOf(server.transportWith({ ca: undefined as never }))
  await expect(untrusted(`${server.origin}/a.txt`, { maxBytes: 10 })).rejects.toMatchObject({
    code: 'unreachable',
  })
})

test('a name that resolves differently after its check is refused when connecting', async () => {
  let requests = 0
  const server = await httpsServer((_, reply) => {
    requests++
    reply.writeHead(200, { connection: 'close' }).end('content')
  })
  const transport = server.transportWith({ resolve: answering(PUBLIC_ADDRESS, '127.0.0.1') })
  const client = clientOf(transport)
  expect(await textOf((await client(`${server.origin}/1`, { maxBytes: 10 })).body)).toBe('content')
  await expect(client(`${server.origin}/2`, { maxBytes: 10 })).rejects.toMatchObject({
    code: 'private_address',
  })
  expect(requests).toBe(1)
})

test('a host that the owner has named may be in a network of its own, and no other may', async () => {
  const server = await httpsServer((_, reply) => reply.end('content'))
  const at = (ownHost: string) =>
    clientOf(server.transportWith({ resolve: answering('127.0.0.1'), ownHost }), { ownHost })
  const own = await at('files.example')(server.origin, { maxBytes: 10 })
  expect(await textOf(own.body)).toBe('content')
  const cdn = server.origin.replace('files', 'cdn')
  for (const url of [cdn, `https://127.0.0.1:${server.port}`, `https://localhost:${server.port}`])
    await expect(at('files.example')(url, { maxBytes: 10 })).rejects.toMatchObject({
      code: 'private_address',
    })
})

test.each([
  '127.0.0.1',
  '10.0.0.7',
  '172.20.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '0.0.0.0',
  '::1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  'fd00:ec2::254',
  'fe80::1%eth0',
])('no connection is made to a name that resolves to %s', async address => {
  const server = await httpsServer((_, reply) => reply.end('secret'))
  const client = clientOf(server.transportWith({ resolve: answering(address), route: () => '127.0.0.1' }))
  await expect(client(`${server.origin}/`, { maxBytes: 10 })).rejects.toMatchObject({
    code: 'private_address',
    redirected: false,
  })
})

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::ffff:7f00:1]/',
  'https://localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'http://files.example/',
  'file:///etc/passwd',
])('a redirect to %s is reported differently from a first request to it', async location => {
  const server = await httpsServer((_, reply) => reply.writeHead(302, { location }).end())
  await expect(clientOf(server.transport)(`${server.origin}/`, { maxBytes: 10 })).rejects.toMatchObject({
    redirected: true,
  })
})

test('a redirect to a host that resolves to a private address is refused', async () => {
  const server = await httpsServer((_, reply) =>
    reply.writeHead(302, { location: `https://cdn.example:${server.port}/`, connection: 'close' }).end(),
  )
  const client = clientOf(server.transportWith({ resolve: answering(PUBLIC_ADDRESS, '10.0.0.1') }))
  await expect(client(`${server.origin}/`, { maxBytes: 10 })).rejects.toMatchObject({
    code: 'private_address',
    redirected: true,
  })
})

test('a name without an address is reported differently from a host that does not answer', async () => {
  const server = await httpsServer((_, reply) => reply.end())
  const unknown: Resolver = () => Promise.reject(new Error('getaddrinfo ENOTFOUND'))
  await expect(
    clientOf(server.transportWith({ resolve: unknown }))(`${server.origin}/`, { maxBytes: 10 }),
  ).rejects.toMatchObject({ code: 'dns_failure' })
})

test('a server that only sends a byte now and then is given up', async () => {
  const server = await httpsServer((_, reply) => {
    const timer = setInterval(() => reply.write('x'), 20)
    reply.on('close', () => clearInterval(timer))
  })
  const answer = await clientOf(server.transport, { idleTimeoutMs: 300 })(`${server.origin}/`, {
    maxBytes: 1e9,
  })
  await expect(textOf(answer.body)).rejects.toMatchObject({ code: 'timeout' })
})

testFull('an endless body is cut off at the limit, and so is one that decompresses to more', async () => {
  const endless = await httpsServer((_, reply) => {
    const more = () => {
      while (reply.write(Buffer.alloc(65_536)));
    }
    reply.on('drain', more)
    more()
  })
  const answer = await clientOf(endless.transport)(`${endless.origin}/`, { maxBytes: 1_000_000 })
  await expect(textOf(answer.body)).rejects.toMatchObject({ code: 'too_large' })

  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const packed = await httpsServer((_, reply) => {
    reply.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb)
  })
  const unpacked = await clientOf(packed.transport)(`${packed.origin}/`, { maxBytes: 1_000_000 })
  await expect(textOf(unpacked.body)).rejects.toMatchObject({ code: 'too_large' })
})

test('disposing of an unread answer closes its connection', async () => {
  const closed = Promise.withResolvers<void>()
  const server = await httpsServer((_, reply) => {
    reply.on('close', () => closed.resolve())
    reply.writeHead(500).write('and so on')
  })
  {
    await using answer = await clientOf(server.transport)(`${server.origin}/`, { maxBytes: 1e9 })
    expect(answer.status).toBe(500)
  }
  await closed.promise
})

test('endless headers are refused', async () => {
  const server = await httpsServer((request, _reply) => {
    const { socket } = request
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write(`x-flood: ${'x'.repeat(8000)}\r\n`), 1)
    socket.on('close', () => clearInterval(timer))
  })
  await expect(clientOf(server.transport)(`${server.origin}/`, { maxBytes: 10 })).rejects.toMatchObject({
    code: 'unreachable',
  })
})
