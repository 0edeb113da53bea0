import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { BlobStore } from '../interfaces/blobs.ts'
import { BlobGone } from '../interfaces/errors.ts'
import { type OpenStores, setUp } from './fixtures.ts'

/** What every blob store must do. */
export function blobStoreContract(open: OpenStores): void {
  const withFile = async (content: string) => {
    const { stores } = await setUp(open)
    const folder = await mkdtemp(join(tmpdir(), 'refile-blob-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, 'file')
    await writeFile(path, content)
    return { blobs: stores.blobs, path }
  }
  const contentOf = async (blobs: BlobStore, key: string) => {
    const { stream, bytes } = await blobs.open(key)
    const content = await text(stream)
    expect(Buffer.byteLength(content)).toBe(bytes)
    return content
  }

  test('a stored file belongs to the store, and can be read in two ways', async () => {
    const { blobs, path } = await withFile('content')
    await blobs.put('jobs/1/input', path)
    await expect(stat(path)).rejects.toThrow('ENOENT')
    expect(await contentOf(blobs, 'jobs/1/input')).toBe('content')
    await using file = await blobs.checkout('jobs/1/input')
    expect(await readFile(file.path, 'utf8')).toBe('content')
  })

  test('a part can be read', async () => {
    const { blobs, path } = await withFile('content')
    await blobs.put('jobs/1/input', path)
    const { stream, bytes } = await blobs.open('jobs/1/input', { start: 3, end: 5 })
    expect([await text(stream), bytes]).toEqual(['ten', 3])
  })

  test('putting again replaces the content', async () => {
    const { blobs, path } = await withFile('first')
    await blobs.put('jobs/1/output', path)
    await writeFile(path, 'second')
    await blobs.put('jobs/1/output', path)
    expect(await contentOf(blobs, 'jobs/1/output')).toBe('second')
  })

  test('a copy survives its original', async () => {
    const { blobs, path } = await withFile('content')
    await blobs.put('files/1/content', path)
    await blobs.copy('files/1/content', 'jobs/1/input')
    await blobs.remove('files/1')
    expect(await contentOf(blobs, 'jobs/1/input')).toBe('content')
  })

  test('a file of this machine stays in place, and the store has its content or nothing', async () => {
    const { blobs, path } = await withFile('content')
    const cloned = await blobs.clone('files/1/content', path)
    await writeFile(path, 'changed')
    if (cloned) expect(await contentOf(blobs, 'files/1/content')).toBe('content')
    else await expect(blobs.open('files/1/content')).rejects.toThrow(BlobGone)
    expect(await readFile(path, 'utf8')).toBe('changed')
  })

  test('removing a prefix removes everything below it, and removing nothing is fine', async () => {
    const { blobs, path } = await withFile('content')
    await blobs.put('jobs/1/input', path)
    await blobs.copy('jobs/1/input', 'jobs/1/output-1')
    await blobs.copy('jobs/1/input', 'jobs/2/input')
    expect((await blobs.list('jobs')).toSorted()).toEqual(['1', '2'])
    expect((await blobs.list('jobs/1')).toSorted()).toEqual(['input', 'output-1'])
    await blobs.remove('jobs/1/input')
    await expect(blobs.open('jobs/1/input')).rejects.toThrow(BlobGone)
    await expect(blobs.checkout('jobs/1/input')).rejects.toThrow(BlobGone)
    await expect(blobs.copy('jobs/1/input', 'jobs/3/input')).rejects.toThrow(BlobGone)
    await blobs.remove('jobs/1')
    await blobs.remove('jobs/1')
    expect(await blobs.list('jobs')).toEqual(['2'])
    expect(await blobs.list('nothing')).toEqual([])
  })

  test('removing a name keeps other names that start with it', async () => {
    const { blobs, path } = await withFile('content')
    await blobs.put('jobs/1/output-10', path)
    await blobs.copy('jobs/1/output-10', 'jobs/1/output-1')
    await blobs.copy('jobs/1/output-10', 'jobs/10/input')
    await blobs.remove('jobs/1/output-1')
    expect(await blobs.list('jobs/1')).toEqual(['output-10'])
    await blobs.remove('jobs/1')
    expect(await blobs.list('jobs')).toEqual(['10'])
  })

  test('an empty file is stored as such', async () => {
    const { blobs, path } = await withFile('')
    await blobs.put('jobs/1/input', path)
    expect(await contentOf(blobs, 'jobs/1/input')).toBe('')
    await using file = await blobs.checkout('jobs/1/input')
    expect(await readFile(file.path, 'utf8')).toBe('')
  })

  test('an available store says so, and complete blobs are not dropped as unfinished', async () => {
    const { blobs, path } = await withFile('content')
    await blobs.check()
    await blobs.put('jobs/1/input', path)
    await blobs.dropUnfinished(Number.POSITIVE_INFINITY)
    expect(await contentOf(blobs, 'jobs/1/input')).toBe('content')
  })
}
