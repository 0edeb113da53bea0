import { connect } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { kinds } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { rawRequest, sendRaw } from '../../../testing/raw-http.ts'
import { sharedService } from '../../../testing/service.ts'

const IDLE_SECONDS = 0.8
const shared = sharedService({ ...misbehaving, idleTimeoutSeconds: IDLE_SECONDS })

const timedOut = { error: 'request.timeout', detail: expect.stringContaining('No data arrived for too long') }

/** The start of an upload whose file has not been sent yet. */
function beginUpload(): string {
  const { url, key } = shared()
  const head = rawRequest(url, 'POST', '/convert', {
    'x-service-api-key': key,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '1000000',
  })
  return `${head}--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nfi`
}

testFull(
  'a connection without a request, and one with half a header, get an answer and are closed',
  async () => {
    const { url } = shared()
    for (const text of ['', 'GET /health HTTP/1.1\r\nhost:']) {
      const started = performance.now()
      const { status, body } = await sendRaw(url, text)
      expect(performance.now() - started).toBeGreaterThan(IDLE_SECONDS * 900)
      expect({ status, ...JSON.parse(body) }).toEqual({ status: 408, ...timedOut })
    }
  },
)

const stopping: [what: string, text: () => string][] = [
  ['an upload', beginUpload],
  [
    'a form without a byte',
    () => {
      const { url, key } = shared()
      return rawRequest(url, 'POST', '/convert', {
        'x-service-api-key': key,
        'content-type': 'multipart/form-data; boundary=x',
        'transfer-encoding': 'chunked',
      })
    },
  ],
  [
    'JSON',
    () => {
      const { url, key } = shared()
      const headers = { 'x-service-api-key': key, 'content-type': 'application/json', 'content-length': '99' }
      return `${rawRequest(url, 'POST', '/convert', headers)}{`
    },
  ],
]

test.each(kinds(stopping, ([what]) => what === 'an upload'))(
  '%s that stops is refused, and nothing of it is left',
  async (_what, text) => {
    const { url, filesLeft } = shared()
    const started = performance.now()
    const { status, body, headers } = await sendRaw(url, text())
    expect(performance.now() - started).toBeGreaterThan(IDLE_SECONDS * 900)
    expect({ status, ...JSON.parse(body) }).toEqual({ status: 408, ...timedOut })
    expect(headers.connection).toBe('close')
    await expect.poll(filesLeft).toEqual([])
  },
)

testFull('an upload that is slow but not silent succeeds', async () => {
  const { url, key } = shared()
  const part = '--x\r\ncontent-disposition: form-data; name="'
  const body = `${part}targetFormat"\r\n\r\nwebp\r\n${part}file"; filename="a.jpg"\r\n\r\nfine\r\n--x--\r\n`
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk.toString()
  })
  const headers = {
    'x-service-api-key': key,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': String(body.length),
  }
  socket.write(rawRequest(url, 'POST', '/convert', headers))
  const pieces = body.match(/[\s\S]{1,30}/g) ?? []
  for (const piece of pieces) {
    await after(IDLE_SECONDS * 400)
    socket.write(piece)
  }
  await expect.poll(() => answer).toContain('202 Accepted')
  socket.destroy()
})

/** A client that is still sending its upload when it reads that it is refused. */
async function refusedUpload(length: number) {
  const { url } = shared()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk.toString()
  })
  const headers = {
    ...{ connection: 'keep-alive', 'x-service-api-key': 'rf_wrong' },
    ...{ 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(length) },
  }
  socket.write(rawRequest(url, 'POST', '/convert', headers))
  await expect.poll(() => answer).toContain('api_key.invalid')
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
  return { url, socket, further: () => answer.slice(answer.indexOf('}') + 1) }
}

test('whoever is still sending a refused upload reads why, and may go on', async () => {
  const { url, socket, further } = await refusedUpload(1000)
  socket.write(`${'x'.repeat(1000)}${rawRequest(url, 'GET', '/health', {})}`)
  await expect.poll(further).toMatch(/HTTP\/1.1 200 /)
  socket.destroy()
})

testFull('whoever goes on sending a refused upload is cut off', async () => {
  const { socket } = await refusedUpload(1_000_000)
  socket.on('error', () => {})
  const sending = setInterval(() => socket.write('x'), IDLE_SECONDS * 400)
  onTestFinished(() => clearInterval(sending))
  await expect.poll(() => socket.closed, { timeout: 10_000 }).toBe(true)
})
