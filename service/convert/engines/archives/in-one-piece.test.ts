import { createDeflateRaw, createInflateRaw, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inOnePiece } from './in-one-piece.ts'

const content = Buffer.from(Array.from({ length: 50_000 }, (_, index) => String(index)).join())

test('a result is in the memory of its stream', async () => {
  const chunkSize = content.length
  const packed = await inOnePiece(createDeflateRaw({ chunkSize }), content, chunkSize)
  expect(inflateRawSync(packed).equals(content)).toBe(true)
  expect(packed.buffer.byteLength).toBe(chunkSize)
})

test('a result larger than that memory is joined, one larger than allowed refused', async () => {
  const chunkSize = 100_000
  const packed = await inOnePiece(createDeflateRaw(), content, content.length)
  const unpacked = await inOnePiece(createInflateRaw({ chunkSize }), packed, content.length)
  expect(unpacked.equals(content)).toBe(true)
  await expect(inOnePiece(createInflateRaw({ chunkSize }), packed, 200_000)).rejects.toThrow('longer')
})
