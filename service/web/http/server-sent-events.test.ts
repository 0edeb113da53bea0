import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { streamEvents } from './server-sent-events.ts'

/** An event stream, and what its listener would read. */
function open() {
  const raw = Object.assign(new PassThrough(), { writeHead: () => {}, flushHeaders: () => {} })
  const request = { raw: new PassThrough(), isStillValid: async () => true } as unknown as FastifyRequest
  const stream = streamEvents(request, { raw, hijack: () => {} } as unknown as FastifyReply)
  return { raw, stream }
}

test('a listener that does not read is disconnected before its backlog fills the memory', async () => {
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
