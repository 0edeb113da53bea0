import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { blobStoreContract } from '../../stores/contract/blobs.ts'
import { embeddedStores } from '../../test/stores.ts'
import { DiskBlobs } from './blobs.ts'

blobStoreContract(embeddedStores)

async function stored(content: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'refile-blobs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'source'), content)
  const blobs = new DiskBlobs(join(folder, 'blobs'))
  await blobs.put('a', join(folder, 'source'))
  return blobs.open('a')
}

test('reading a small file takes no more memory than its size', async () => {
  const { stream } = await stored(Buffer.alloc(1000, 'x'))
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow')
  onTestFinished(() => allocate.mockRestore())
  expect(await buffer(stream)).toHaveLength(1000)
  expect(allocate.mock.calls).toEqual([[1000]])
})

test('an empty file reads as empty', async () => {
  const { stream, bytes } = await stored(Buffer.alloc(0))
  expect(bytes).toBe(0)
  expect(await buffer(stream)).toHaveLength(0)
})
