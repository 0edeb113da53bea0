import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startBalancer } from './balancer.ts'

/** Starts a host that reports itself ready and answers all other requests with `answer`. */
async function host(answer: RequestListener): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, reply) => {
    if (request.url === '/health/ready') reply.end('{}')
    else answer(request, reply)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

async function balancing(...hosts: { url: string }[]) {
  const balancer = await startBalancer(0)
  onTestFinished(() => balancer[Symbol.asyncDispose]())
  balancer.direct(hosts.map(({ url }) => url))
  await balancer.ready(hosts.length)
  return balancer
}

test('a request and its answer are forwarded unchanged, each part as it arrives', async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<void>()
  const { url } = await balancing(
    await host(async (request, reply) => {
      reply.writeHead(201, { 'x-host': String(request.headers.host), 'content-type': 'text/event-stream' })
      reply.write('first')
      await goOn
      reply.end(` ${request.method} ${request.url} ${await text(request)}`)
    }),
  )
  const answer = await fetch(`${url}/a%2Fb?c`, { method: 'POST', body: 'body' })
  expect([answer.status, answer.headers.get('x-host')]).toEqual([201, new URL(url).host])
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect(await reader.read()).toMatchObject({ value: 'first' })
  resolve()
  expect(await reader.read()).toMatchObject({ value: ' POST /a%2Fb?c body' })
})

test('no request is lost when a host refuses connections; when all refuse, clients are told to retry', async () => {
  const hosts = await Promise.all(
    [1, 2].map(number => host(async (request, reply) => void reply.end(`${number}${await text(request)}`))),
  )
  const { url } = await balancing(...hosts)
  await hosts[0]!.stop()
  const post = () => fetch(url, { method: 'POST', body: ' whole' })
  const answers = await Promise.all(Array.from({ length: 10 }, async () => (await post()).text()))
  expect(new Set(answers)).toEqual(new Set(['2 whole']))
  await hosts[1]!.stop()
  const refused = await post()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ error: 'server.unavailable' })
})

test('a request that breaks off is retried on another host only if it changes nothing', async () => {
  const broken = await host(request => request.socket.destroy())
  const sound = await host((_request, reply) => reply.end('sound'))
  const { url } = await balancing(broken, sound)
  const ask = async (method: string) => (await fetch(url, { method })).status
  const read = await Promise.all(Array.from({ length: 10 }, () => ask('GET')))
  expect(new Set(read)).toEqual(new Set([200]))
  const written = await Promise.all(Array.from({ length: 10 }, () => ask('POST')))
  expect(new Set(written)).toEqual(new Set([200, 502]))
})
