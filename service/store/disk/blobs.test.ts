import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, statSync, watch, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { embeddedStores } from '../../../testing/stores.ts'
import { BLOBS_MARK } from '../blob-ownership.ts'
import { blobStoreContract } from '../contract/blobs.ts'
import type { BlobStore } from '../interfaces/blobs.ts'
import { ContentLost, StoreUnavailable } from '../interfaces/errors.ts'
import { diskBlobs } from './blobs.ts'

describe('below the data folder', () => blobStoreContract(embeddedStores))
describe('in a folder that hosts share', () =>
  blobStoreContract(limits => embeddedStores(limits, sharedFolder)))

/** A shared folder that a host has marked. */
function sharedFolder(folder: string): BlobStore {
  mkdirSync(folder)
  writeFileSync(join(folder, BLOBS_MARK), 'of this database')
  return diskBlobs(folder, BLOBS_MARK)
}

/** A folder on a different disk from the temporary one; undefined if there is none. */
const otherDisk = '/dev/shm'
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev

test.runIf(hasOtherDisk)('a file on another disk is copied, and appears once it is complete', async () => {
  const [here, there] = [
    await mkdtemp(join(tmpdir(), 'refile-blobs-')),
    await mkdtemp(`${otherDisk}/refile-`),
  ]
  onTestFinished(async () => {
    await rm(here, { recursive: true })
    await rm(there, { recursive: true })
  })
  const root = join(there, 'blobs')
  const blobs = sharedFolder(root)
  const content = randomBytes(2 ** 22)
  await writeFile(join(here, 'file'), content)
  let seen = 0
  const watching = watch(root, { recursive: true }, () => {
    const size = statSync(join(root, 'jobs', 'input'), { throwIfNoEntry: false })?.size
    if (size !== undefined) seen = Math.min(seen || size, size)
  })
  await blobs.put('jobs/input', join(here, 'file'))
  await expect.poll(() => seen).toBe(content.length)
  watching.close()
  expect(await readdir(here)).toEqual([])
  expect(await readdir(join(root, 'partial'))).toEqual([])
  expect(content.equals(await buffer((await blobs.open('jobs/input')).stream))).toBe(true)

  // A copy interrupted by a kill.
  await writeFile(join(root, 'partial', 'left'), 'half')
  await blobs.dropUnfinished(Date.now() - 60_000)
  expect(await readdir(join(root, 'partial'))).toEqual(['left'])
  await blobs.dropUnfinished(Date.now() + 60_000)
  expect(await readdir(join(root, 'partial'))).toEqual([])
})

test('while a shared folder is not mounted, nothing is written to its mount point and no blob counts as deleted', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-blobs-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const blobs = sharedFolder(join(home, 'share'))
  await writeFile(join(home, 'file'), 'content')
  await blobs.put('jobs/1/input', join(home, 'file'))
  await rename(join(home, 'share'), join(home, 'elsewhere'))
  await mkdir(join(home, 'share'))
  await writeFile(join(home, 'file'), 'content')
  await expect(blobs.put('jobs/2/input', join(home, 'file'))).rejects.toThrow(StoreUnavailable)
  await expect(blobs.open('jobs/1/input')).rejects.toThrow(StoreUnavailable)
  await expect(blobs.check()).rejects.toThrow(StoreUnavailable)
  expect(await readdir(join(home, 'share'))).toEqual([])
})

async function stored(content: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'refile-blobs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'source'), content)
  const blobs = diskBlobs(join(folder, 'blobs'))
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

test.each(['a file', 'a folder'])(
  '%s that cannot be synced is an error, after which a new file can be stored there',
  async what => {
    const home = await mkdtemp(join(tmpdir(), 'refile-blobs-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const blobs = diskBlobs(join(home, 'blobs'))
    const path = join(home, 'file')
    await writeFile(path, 'content')
    await using any = await open(path)
    const syncing = vi.spyOn(Object.getPrototypeOf(any), 'sync')
    onTestFinished(() => syncing.mockRestore())
    if (what === 'a folder') syncing.mockResolvedValueOnce(undefined)
    syncing.mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO' }))
    const failed = await blobs.put('jobs/1/output-1', path).catch(error => error)
    expect(failed).toBeInstanceOf(StoreUnavailable)
    // The system may have dropped the content, so that a second sync would succeed for nothing.
    expect(failed instanceof ContentLost).toBe(what === 'a file')
    await blobs.put('jobs/1/output-1', path)
    expect(String(await buffer((await blobs.open('jobs/1/output-1')).stream))).toBe('content')
  },
)
