import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { receiveUpload } from './upload.ts'

const MiB = 2 ** 20
const BOUNDARY = 'boundary'
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const fileHead = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`

async function hashOf(source: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(source, hash)
  return hash.digest('hex')
}

/** Sends a body piece by piece to a server that receives it, and returns what the server received. */
async function upload(pieces: Iterable<Buffer | string>) {
  const folder = await mkdtemp(join(tmpdir(), 'refile-upload-'))
  let mostMemory = 0
  const received = new Set<ArrayBufferLike>()
  const server = createServer((incoming, answer) => {
    // An earlier listener would start the flow before anyone reads.
    incoming.once('resume', () => incoming.on('data', ({ buffer }: Buffer) => received.add(buffer)))
    const watch = setInterval(() => {
      mostMemory = Math.max(mostMemory, process.memoryUsage().arrayBuffers)
    }, 2)
    void receiveUpload(incoming, folder, 1024 * MiB).then(async ({ fields, file }) => {
      clearInterval(watch)
      const hash = file && (await hashOf(createReadStream(file.path)))
      answer.end(JSON.stringify({ fields: [...fields], bytes: file?.bytes, hash }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  const { port } = server.address() as AddressInfo
  const before = process.memoryUsage().arrayBuffers
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const sending = request(
    { port, method: 'POST', headers },
    answer => void text(answer).then(resolve, reject),
  )
  await pipeline(Readable.from(pieces), sending)
  return {
    ...(JSON.parse(await promise) as { fields: [string, string][]; bytes: number; hash: string }),
    growth: mostMemory - before,
    heldBytes: [...received].reduce((sum, { byteLength }) => sum + byteLength, 0),
  }
}

test('a file between fields arrives byte for byte, however the body is split', async () => {
  // Something that looks almost like a boundary, at every position of a chunk.
  const almost = Buffer.from(`\r\n--${BOUNDARY.slice(0, -1)}!`)
  const content = Buffer.concat(
    Array.from({ length: 600 }, (_, index) => Buffer.concat([randomBytes(20_000 + index), almost])),
  )
  const body = Buffer.concat([
    Buffer.from(field('before', 'x'.repeat(300_000)) + fileHead),
    content,
    Buffer.from(`\r\n${field('after', 'y'.repeat(300_000))}--${BOUNDARY}--\r\n`),
  ])
  const pieces: Buffer[] = []
  for (let at = 0, size = 1; at < body.length; at += size, size = (size * 7 + 13) % 150_000)
    pieces.push(body.subarray(at, at + size))
  const { fields, bytes, hash } = await upload(pieces)
  expect(bytes).toBe(content.length)
  expect(hash).toBe(createHash('sha256').update(content).digest('hex'))
  expect(fields.map(([name, value]) => [name, value.length, new Set(value).size])).toEqual([
    ['before', 300_000, 1],
    ['after', 300_000, 1],
  ])
})

test('a large file needs little memory on its way to disk', async () => {
  const chunk = randomBytes(MiB)
  const pieces = [fileHead, ...Array<Buffer>(400).fill(chunk), `\r\n--${BOUNDARY}--\r\n`]
  const { bytes, growth } = await upload(pieces)
  expect(bytes).toBe(400 * MiB)
  expect(growth).toBeLessThan(32 * MiB)
})

test('the memory of a received file is freed once it is on disk, without waiting for garbage collection', async () => {
  const { bytes, heldBytes } = await upload([
    fileHead,
    ...Array<Buffer>(3).fill(randomBytes(MiB)),
    `\r\n--${BOUNDARY}--\r\n`,
  ])
  expect(bytes).toBe(3 * MiB)
  expect(heldBytes).toBeLessThan(MiB / 16)
})
