import { chmod, link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { canMount, smallDisk } from '../test/disk.ts'
import { NameTakenError, type Placement, place } from './place.ts'

let folder: string
let root: string
let from: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-place-'))
  root = join(folder, 'out')
  from = join(folder, 'result')
  await mkdir(root)
  await writeFile(from, 'content')
  return () => rm(folder, { recursive: true, force: true })
})

const partial = () => join(root, '.refile-item.part')
const listed = async () => (await readdir(root, { recursive: true })).toSorted()

const put = (placement: Partial<Placement> = {}) =>
  place({
    from,
    root,
    folders: [],
    name: 'a.webp',
    taken: 'number',
    modifiedAt: null,
    id: 'item',
    remembered: null,
    remember: async () => {},
    signal: new AbortController().signal,
    ...placement,
  })

test('a result is put into the folder and stays where it was', async () => {
  expect(await put()).toBe(join(root, 'a.webp'))
  expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('content')
  expect(await readFile(from, 'utf8')).toBe('content')
  expect(await listed()).toEqual(['a.webp'])
})

test.skipIf(process.platform === 'win32')('it is as readable as any new file there', async () => {
  await chmod(from, 0o600)
  await writeFile(join(root, 'mine'), '')
  expect((await stat(await put())).mode).toBe((await stat(join(root, 'mine'))).mode)
})

test('nothing is replaced', async () => {
  await writeFile(join(root, 'a.webp'), 'mine')
  await mkdir(join(root, 'a (2).webp'))
  expect(await put()).toBe(join(root, 'a (3).webp'))
  expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('mine')
})

test('where a person is to decide, what is there is left, and no half file with it', async () => {
  await writeFile(join(root, 'a.webp'), 'mine')
  await expect(put({ taken: 'refuse' })).rejects.toThrow(NameTakenError)
  expect(await listed()).toEqual(['a.webp'])
  expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('mine')
  expect(await put({ taken: 'refuse', name: 'b.webp' })).toBe(join(root, 'b.webp'))
})

test('it is as old as it is told to be, also where that cannot be kept exactly', async () => {
  const modifiedAt = Date.UTC(2019, 4, 17, 8, 30)
  const { mtimeMs } = await stat(await put({ modifiedAt }))
  expect(mtimeMs).toBe(modifiedAt)
  const old = await stat(await put({ modifiedAt: -5e12, name: 'old.webp', id: 'old' }))
  expect(old.size).toBe(7)
})

test('many at once get names of their own', async () => {
  const paths = await Promise.all(Array.from({ length: 20 }, (_, index) => put({ id: `item-${index}` })))
  expect(new Set(paths).size).toBe(20)
  expect(await listed()).toHaveLength(20)
})

test('folders below it are made, the folder itself is not', async () => {
  expect(await put({ folders: ['x', 'y'] })).toBe(join(root, 'x', 'y', 'a.webp'))
  expect(await put({ folders: ['x', 'y'], id: 'other' })).toBe(join(root, 'x', 'y', 'a (2).webp'))
  await rm(root, { recursive: true })
  await expect(put({ folders: ['x'] })).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(stat(root)).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(root, 'a file')
  await expect(put()).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.runIf(canMount)('from another disk it is copied', async () => {
  const disk = await smallDisk(1)
  expect(await put({ root: disk })).toBe(join(disk, 'a.webp'))
  expect(await readFile(join(disk, 'a.webp'), 'utf8')).toBe('content')
  expect(await readdir(disk)).toEqual(['a.webp'])
})

test.runIf(canMount)('a disk that is too small, or a copy that is stopped, leaves nothing', async () => {
  const disk = await smallDisk(1)
  await writeFile(from, Buffer.alloc(2 ** 22))
  await expect(put({ root: disk })).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await readdir(disk)).toEqual([])
  await expect(put({ root: disk, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(await readdir(disk)).toEqual([])
})

describe('an attempt that broke off is finished by the next one, without a second copy', () => {
  /** What the next attempt makes of the folder as it is. */
  const again = async (remembered: string | null) => {
    const path = await put({ remembered })
    expect(await listed()).toEqual(['a.webp'])
    expect(await readFile(path, 'utf8')).toBe('content')
  }

  test('while the partial file was written', async () => {
    await writeFile(partial(), 'con')
    await again(null)
  })

  test('before the finished file was linked', async () => {
    await writeFile(partial(), 'content')
    await again(null)
  })

  test('after it was linked', async () => {
    await writeFile(partial(), 'content')
    await link(partial(), join(root, 'a.webp'))
    await again(null)
  })

  test('after it was linked under a number', async () => {
    await writeFile(join(root, 'a.webp'), 'mine')
    await writeFile(partial(), 'content')
    await link(partial(), join(root, 'a (2).webp'))
    expect(await put()).toBe(join(root, 'a (2).webp'))
    expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
  })

  test('after the path was remembered', async () => {
    await writeFile(partial(), 'content')
    await link(partial(), join(root, 'a.webp'))
    await again(join(root, 'a.webp'))
  })

  test('after the partial file was taken away', async () => {
    await writeFile(join(root, 'a.webp'), 'content')
    await again(join(root, 'a.webp'))
  })

  test('when remembering failed, and once more before its end was told', async () => {
    const gone = () => Promise.reject(new Error('the store is gone'))
    await expect(put({ remember: gone })).rejects.toThrow('the store is gone')
    let remembered = ''
    await put({
      remember: async path => {
        remembered = path
        // From the folder alone the place could not be told any more once this is gone.
        expect(await listed()).toContain('.refile-item.part')
      },
    })
    expect(remembered).toBe(join(root, 'a.webp'))
    await again(remembered)
  })

  test('when remembering failed', async () => {
    const remember = () => Promise.reject(new Error('the store is gone'))
    await expect(put({ remember })).rejects.toThrow('the store is gone')
    await again(null)
  })

  test('also when the result was taken away meanwhile', async () => {
    await again(join(root, 'a.webp'))
  })
})

describe('a disk without links', () => {
  beforeEach(async () => {
    const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    vi.mocked(link).mockRejectedValue(Object.assign(new Error('no links here'), { code: 'EPERM' }))
    return () => void vi.mocked(link).mockImplementation(files.link)
  })

  test('gets the result over an empty file that took the name', async () => {
    await writeFile(join(root, 'a.webp'), 'mine')
    expect(await put()).toBe(join(root, 'a (2).webp'))
    expect(await readFile(join(root, 'a (2).webp'), 'utf8')).toBe('content')
    expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
  })

  test('an attempt that broke off before the file was moved is finished', async () => {
    await writeFile(partial(), 'content')
    await writeFile(join(root, 'a.webp'), '')
    expect(await put({ remembered: join(root, 'a.webp') })).toBe(join(root, 'a.webp'))
    expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('content')
    expect(await listed()).toEqual(['a.webp'])
  })

  test('so is one that broke off after it', async () => {
    await writeFile(partial(), 'content')
    await rename(partial(), join(root, 'a.webp'))
    expect(await put({ remembered: join(root, 'a.webp') })).toBe(join(root, 'a.webp'))
    expect(await listed()).toEqual(['a.webp'])
  })
})

vi.mock('node:fs/promises', async importActual => {
  const files = await importActual<typeof import('node:fs/promises')>()
  return { ...files, link: vi.fn(files.link) }
})
