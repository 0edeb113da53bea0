import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { rawRequest } from '../../../testing/raw-http.ts'
import { streamEvents } from './server-sent-events.ts'

/** An event stream, and what its listener would read. */
function open() {
  const raw = Object.assign(new PassThrough(), { writeHead: () => {}, flushHeaders: () => {} })
  const request = { raw: new PassThrough(), isStillValid: async () => true } as unknown as FastifyRequest
  const stream = streamEvents(request, { raw, hijack: () => {} } as unknown as FastifyReply)
  return { raw, stream }
}

testFull('a listener that does not read is disconnected before its backlog fills the memory', async () => {
  const { raw, stream } = open()
  const data = 'x'.repeat(2 ** 20)
  for (let sent = 0; sent < 64; sent++) stream.send('job', data)
  expect(raw.destroyed).toBe(true)
  expect(raw.writableLength).toBeLessThan(16 * 2 ** 20)
})

test('queued work is sent in order, and an error ends the stream', async () => {
  const { raw, stream } = open()
  let text = ''
  raw.on('data', chunk => {
    text += chunk
  })
  const first = Promise.withResolvers<void>()
  stream.queue(async () => {
    await first.promise
    stream.send('first', 1)
  })
  stream.queue(async () => stream.send('second', 2))
  stream.queue(() => Promise.reject(new Error('out of reach')))
  stream.queue(async () => stream.send('third', 3))
  first.resolve()
  await once(raw, 'end')
  expect(text).toBe('event: first\ndata: 1\n\nevent: second\ndata: 2\n\n')
})

test('a listener that does not read before or after the end is cut off, and others are answered', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', note)
  onTestFinished(() => void process.off('uncaughtException', note))
  const streamed = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, raw) => {
    if (request.url !== '/events') return raw.end('fine')
    const asked = { raw: request, isStillValid: async () => true } as unknown as FastifyRequest
    const stream = streamEvents(asked, { raw, hijack: () => {} } as unknown as FastifyReply)
    // More than the system's buffers hold of it, less than what would end it at once.
    for (let sent = 0; sent < 7; sent++) stream.send('job', 'x'.repeat(2 ** 20))
    stream.end()
    stream.end()
    streamed.resolve(raw)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(rawRequest(url, 'GET', '/events', { connection: 'keep-alive' }))
  const raw = await streamed.promise
  // The heartbeat comes after the end.
  await vi.advanceTimersByTimeAsync(16_000)
  await new Promise(resolve => setImmediate(resolve))
  expect(uncaught).toEqual([])
  expect(raw.destroyed).toBe(true)
  vi.useRealTimers()
  expect(await (await fetch(url)).text()).toBe('fine')
})
