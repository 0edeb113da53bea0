import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { embeddedStores } from '../../../testing/stores.ts'
import { setUp } from '../contract/fixtures.ts'
import { Cleanup } from './cleanup.ts'

test('a failed delete is retried, and reported once', async () => {
  const { stores } = await setUp(embeddedStores)
  const onError = vi.fn()
  const cleanup = new Cleanup(stores.blobs, onError)
  const remove = vi.spyOn(stores.blobs, 'remove').mockRejectedValue(new Error('busy'))
  await cleanup.blobs('jobs/1')
  await cleanup.blobs('jobs/2')
  await cleanup.retry()
  expect(onError).toHaveBeenCalledTimes(2)
  remove.mockReset()
  await cleanup.retry()
  expect(remove.mock.calls).toEqual([['jobs/1'], ['jobs/2']])
  await cleanup.retry()
  expect(remove).toHaveBeenCalledTimes(2)
})

test('a folder that cannot be deleted throws nothing and is deleted later', async () => {
  const { stores } = await setUp(embeddedStores)
  const home = await mkdtemp(join(tmpdir(), 'refile-cleanup-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const cleanup = new Cleanup(stores.blobs, () => {})
  // A path below a file cannot be deleted.
  await writeFile(join(home, 'place'), '')
  await cleanup.folder(join(home, 'place', 'folder'))
  await rm(join(home, 'place'))
  await mkdir(join(home, 'place', 'folder', 'deep'), { recursive: true })
  await cleanup.retry()
  await expect(stat(join(home, 'place', 'folder'))).rejects.toThrow('ENOENT')
})
