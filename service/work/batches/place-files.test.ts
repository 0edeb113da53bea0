import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { canMount, smallDisk } from '../../../testing/disk.ts'
import { testPlacement } from '../../../testing/placement.ts'
import { DamagedResult, holds } from '../../shared/watch/unpack.ts'
import { NameTakenError, type Placement } from './place.ts'
import { placeFiles } from './place-files.ts'

let folder: string
let root: string
let from: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-place-files-'))
  root = join(folder, 'out')
  from = join(folder, 'result.zip')
  await mkdir(root)
  await pack({ 'a-1.txt': 'first', 'more/a-2.txt': 'second' })
  return () => rm(folder, { recursive: true, force: true })
})

async function pack(files: Record<string, string | Buffer>): Promise<void> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress: false })
  zip.end()
  await writeFile(from, await buffer(zip.outputStream))
}

const partial = () => join(root, '.refile-item.part')
const listed = async () => (await readdir(root, { recursive: true })).toSorted()
const whole = (name = 'a') => [name, join(name, 'a-1.txt'), join(name, 'more'), join(name, 'more', 'a-2.txt')]

const put = (placement: Partial<Placement> = {}) =>
  placeFiles(testPlacement({ from, root, name: 'a', ...placement }))

test('the files of a result are put into a subfolder, with the date', async () => {
  const modifiedAt = Date.UTC(2019, 4, 17, 8, 30)
  expect(await put({ modifiedAt, folders: ['x'] })).toBe(join(root, 'x', 'a'))
  expect(await readFile(join(root, 'x', 'a', 'more', 'a-2.txt'), 'utf8')).toBe('second')
  expect((await stat(join(root, 'x', 'a', 'a-1.txt'))).mtimeMs).toBe(modifiedAt)
  expect((await readdir(join(root, 'x', 'a'))).toSorted()).toEqual(['a-1.txt', 'more'])
})

test('nothing is overwritten or filled, and a person can decide', async () => {
  await writeFile(join(root, 'a'), 'mine')
  await mkdir(join(root, 'a (2)'))
  await expect(put({ taken: 'refuse' })).rejects.toThrow(NameTakenError)
  expect(await listed()).toEqual(['a', 'a (2)'])
  expect(await put()).toBe(join(root, 'a (3)'))
  await mkdir(join(root, 'b.1'))
  expect(await put({ name: 'b.1' })).toBe(join(root, 'b.1 (2)'))
  expect(await listed()).toEqual(['a', 'a (2)', ...whole('a (3)'), 'b.1', ...whole('b.1 (2)')])
})

test('a subfolder holds the result while every file of it reads as it was made', async () => {
  const path = await put()
  expect(await holds(path, from)).toBe(true)
  await writeFile(join(path, 'more', 'a-2.txt'), 'sixth!')
  expect(await holds(path, from)).toBe(false)
  await rm(path, { recursive: true })
  expect(await holds(path, from)).toBe(false)
})

test('many at once get different names', async () => {
  const paths = await Promise.all(Array.from({ length: 8 }, (_, index) => put({ id: `item-${index}` })))
  expect(new Set(paths).size).toBe(8)
  expect(await listed()).toHaveLength(32)
})

test('of a damaged or aborted one nothing is left', async () => {
  await expect(put({ signal: AbortSignal.abort() })).rejects.toThrow()
  await writeFile(from, (await readFile(from)).toString('latin1').replace('second', 'secOnd'), 'latin1')
  await expect(put()).rejects.toThrow(DamagedResult)
  expect(await listed()).toEqual([])
})

test.runIf(canMount)('nor on a disk that is too small', async () => {
  const disk = await smallDisk(1)
  await pack({ 'a-1.txt': 'first', 'a-2.txt': Buffer.alloc(2 ** 22) })
  await expect(put({ root: disk })).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await readdir(disk)).toEqual([])
})

describe('the next attempt completes an interrupted one, without a second copy', () => {
  test('while the subfolder was filled, whatever was in it', async () => {
    await mkdir(partial())
    await writeFile(join(partial(), 'a-1.txt'), 'fi')
    await writeFile(join(partial(), '.a.refile.part'), 'sec')
    expect(await put({ remembered: null })).toBe(join(root, 'a'))
    expect(await listed()).toEqual(whole())
    expect(await readFile(join(root, 'a', 'a-1.txt'), 'utf8')).toBe('first')
  })

  test('before and after it got its name, and when recording that failed', async () => {
    const gone = () => Promise.reject(new Error('the store is gone'))
    await expect(put({ remember: gone })).rejects.toThrow('the store is gone')
    expect(await listed()).toEqual([])
    let remembered = ''
    await put({
      remember: async path => {
        remembered = path
        // It has no name yet when that is recorded.
        expect(await listed()).not.toContain('a')
      },
    })
    expect(await put({ remembered })).toBe(join(root, 'a'))
    await rename(join(root, 'a'), partial())
    expect(await put({ remembered })).toBe(join(root, 'a'))
    expect(await listed()).toEqual(whole())
  })

  test('a name that somebody else has taken meanwhile is theirs', async () => {
    await mkdir(partial())
    await mkdir(join(root, 'a'))
    expect(await put({ remembered: join(root, 'a') })).toBe(join(root, 'a (2)'))
  })
})
