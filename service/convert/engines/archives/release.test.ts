import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ByteQueue } from './byte-queue.ts'
import { release } from './release.ts'

test.each([100, 4096, Buffer.poolSize, 1 << 20])('a buffer of its own of %i bytes is freed', bytes => {
  const own = Buffer.allocUnsafeSlow(bytes)
  release(own)
  expect(own.buffer.byteLength).toBe(0)
  expect(() => release(own)).not.toThrow()
})

test("Node's pool of small buffers is kept", () => {
  const [one, other] = [Buffer.from('one'), Buffer.from('other')]
  release(one)
  expect([one.toString(), other.toString()]).toEqual(['one', 'other'])
})

test('the chunks of a queue are freed once they are used, as large as a pipe delivers them', async () => {
  const chunks = [Buffer.poolSize, 4096, 10].map(bytes => Buffer.allocUnsafeSlow(bytes).fill('x'))
  const queue = new ByteQueue(Readable.from(chunks))
  let read = 0
  for (let piece = await queue.some(3000); piece; piece = await queue.some(3000)) read += piece.length
  expect(read).toBe(Buffer.poolSize + 4096 + 10)
  expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0, 0])
})
