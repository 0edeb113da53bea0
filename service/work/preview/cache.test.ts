import { existsSync } from 'node:fs'
import { link, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PreviewCache } from './cache.ts'

async function setUp(limitBytes: number) {
  const home = await mkdtemp(join(tmpdir(), 'refile-cache-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const folder = join(home, 'previews')
  const cache = new PreviewCache(folder, limitBytes, error => {
    throw error
  })
  await cache.start()
  const add = async (key: string, bytes: number, shows = [key], making = cache.begin(key, 'me', shows)) => {
    using started = making
    const made = await mkdtemp(join(home, 'made-'))
    await writeFile(join(made, 'a.webp'), Buffer.alloc(bytes))
    return await cache.add(started, true, made)
  }
  return { cache, folder, add }
}

test('over the limit, the entries not viewed for longest are dropped', async () => {
  const { cache, folder, add } = await setUp(2500)
  const one = await add('one', 1000)
  await add('two', 1000)
  expect(cache.pathOf(one.id, 'a.webp', 'me')).toBeDefined()
  await add('three', 1000)
  expect([cache.get('one'), cache.get('two'), cache.get('three')].map(Boolean)).toEqual([true, false, true])
  expect(await readdir(folder)).toHaveLength(2)
  expect(cache.bytes).toBeLessThanOrEqual(2500)
})

test('an entry over the limit is shown, and dropped with the next one', async () => {
  const { cache, folder, add } = await setUp(500)
  const large = await add('large', 1000)
  expect(existsSync(cache.pathOf(large.id, 'a.webp', 'me')!)).toBe(true)
  await add('small', 10)
  expect(cache.pathOf(large.id, 'a.webp', 'me')).toBeUndefined()
  expect(await readdir(folder)).toHaveLength(1)
})

test('replacing a key leaves nothing of the old entry behind', async () => {
  const { cache, folder, add } = await setUp(1e6)
  const old = await add('key', 10)
  const fresh = await add('key', 20)
  expect([cache.pathOf(old.id, 'a.webp', 'me'), cache.get('key')?.id]).toEqual([undefined, fresh.id])
  expect(await readdir(folder)).toEqual([fresh.id])
})

test('files are only available to their account, and a name cannot lead to any other path', async () => {
  const { cache, add } = await setUp(1e6)
  const { id } = await add('key', 10)
  expect(cache.pathOf(id, 'a.webp', 'somebody')).toBeUndefined()
  expect(cache.pathOf(id, '../../secret', 'me')).toBeUndefined()
})

test('links are not served as files', async () => {
  const { cache, folder } = await setUp(1e6)
  const made = join(folder, '..', 'made')
  await mkdir(made)
  await writeFile(join(folder, '..', 'secret'), 'secret')
  await symlink(join(folder, '..', 'secret'), join(made, 'a.webp'))
  await link(join(folder, '..', 'secret'), join(made, 'b.webp'))
  const { id, files } = await cache.add(cache.begin('key', 'me', []), true, made)
  expect([files, cache.pathOf(id, 'a.webp', 'me'), cache.pathOf(id, 'b.webp', 'me')]).toEqual([
    [],
    undefined,
    undefined,
  ])
})

test('entries are removed by age and by what they show, and the cache starts empty', async () => {
  const { cache, folder, add } = await setUp(1e6)
  await add('1 thumbnail', 10, ['1'])
  await add('1 beside 2', 10, ['1', '2'])
  await add('2 beside 3', 10, ['2', '3'])
  await add('12 thumbnail', 10, ['12'])
  await cache.evict(['1', '3', 'unknown'])
  expect([cache.get('1 thumbnail'), cache.get('12 thumbnail') === undefined, cache.size]).toEqual([
    undefined,
    false,
    1,
  ])
  await cache.sweep(Date.now() + 1)
  expect([cache.size, cache.bytes, await readdir(folder)]).toEqual([0, 0, []])
  await writeFile(join(folder, 'stray'), '')
  await cache.start()
  expect(await readdir(folder)).toEqual([])
})

test('what is forgotten while it is being made does not come back', async () => {
  const { cache, folder, add } = await setUp(1e6)
  const making = cache.begin('1 thumbnail', 'me', ['1'])
  await cache.evict(['1'])
  const made = await add('', 10, [], making)
  expect([made.files, cache.pathOf(made.id, 'a.webp', 'me'), cache.get('1 thumbnail')]).toEqual([
    [],
    undefined,
    undefined,
  ])
  expect([cache.size, cache.bytes, await readdir(folder)]).toEqual([0, 0, []])
})
