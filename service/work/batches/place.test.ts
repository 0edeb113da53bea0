import { chmod, link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { canMount, smallDisk } from '../../../testing/disk.ts'
import { testPlacement } from '../../../testing/placement.ts'
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
  place(testPlacement({ from, root, name: 'a.webp', ...placement }))

test('a result is put into the folder and kept in the store', async () => {
  expect(await put()).toBe(join(root, 'a.webp'))
  expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('content')
  expect(await readFile(from, 'utf8')).toBe('content')
  expect(await listed()).toEqual(['a.webp'])
})

test('what the person does with their file does not change the stored result', async () => {
  const path = await put()
  expect((await stat(from)).nlink).toBe(1)
  await writeFile(path, 'edited')
  expect(await readFile(from, 'utf8')).toBe('content')
})

test.skipIf(process.platform === 'win32')(
  'it has the same permissions as other new files there',
  async () => {
    await chmod(from, 0o600)
    await writeFile(join(root, 'mine'), '')
    expect((await stat(await put())).mode).toBe((await stat(join(root, 'mine'))).mode)
  },
)

test('nothing is overwritten', async () => {
  await writeFile(join(root, 'a.webp'), 'mine')
  await mkdir(join(root, 'a (2).webp'))
  expect(await put()).toBe(join(root, 'a (3).webp'))
  expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('mine')
})

test('if a person is to decide, the existing file is kept, and no partial file is left', async () => {
  await writeFile(join(root, 'a.webp'), 'mine')
  await expect(put({ taken: 'refuse' })).rejects.toThrow(NameTakenError)
  expect(await listed()).toEqual(['a.webp'])
  expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('mine')
  expect(await put({ taken: 'refuse', name: 'b.webp' })).toBe(join(root, 'b.webp'))
})

test('it gets the requested date, even if that cannot be stored exactly', async () => {
  const modifiedAt = Date.UTC(2019, 4, 17, 8, 30)
  const { mtimeMs } = await stat(await put({ modifiedAt }))
  expect(mtimeMs).toBe(modifiedAt)
  const old = await stat(await put({ modifiedAt: -5e12, name: 'old.webp', id: 'old' }))
  expect(old.size).toBe(7)
})

test('many at once get different names', async () => {
  const paths = await Promise.all(Array.from({ length: 20 }, (_, index) => put({ id: `item-${index}` })))
  expect(new Set(paths).size).toBe(20)
  expect(await listed()).toHaveLength(20)
})

test('subfolders are created, but not the folder itself', async () => {
  expect(await put({ folders: ['x', 'y'] })).toBe(join(root, 'x', 'y', 'a.webp'))
  expect(await put({ folders: ['x', 'y'], id: 'other' })).toBe(join(root, 'x', 'y', 'a (2).webp'))
  await rm(root, { recursive: true })
  await expect(put({ folders: ['x'] })).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(stat(root)).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(root, 'a file')
  await expect(put()).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.runIf(canMount)('it is copied from another disk', async () => {
  const disk = await smallDisk(1)
  expect(await put({ root: disk })).toBe(join(disk, 'a.webp'))
  expect(await readFile(join(disk, 'a.webp'), 'utf8')).toBe('content')
  expect(await readdir(disk)).toEqual(['a.webp'])
})

test.runIf(canMount)('a disk that is too small, or an aborted copy, leaves nothing', async () => {
  const disk = await smallDisk(1)
  await writeFile(from, Buffer.alloc(2 ** 22))
  await expect(put({ root: disk })).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await readdir(disk)).toEqual([])
  await expect(put({ root: disk, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(await readdir(disk)).toEqual([])
})

describe('the next attempt completes an interrupted one, without a second copy', () => {
  /** What the next attempt does with the folder as it is. */
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

  test('after it was linked with a number', async () => {
    await writeFile(join(root, 'a.webp'), 'mine')
    await writeFile(partial(), 'content')
    await link(partial(), join(root, 'a (2).webp'))
    expect(await put()).toBe(join(root, 'a (2).webp'))
    expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
  })

  test('after the path was recorded', async () => {
    await writeFile(partial(), 'content')
    await link(partial(), join(root, 'a.webp'))
    await again(join(root, 'a.webp'))
  })

  test('after the partial file was removed', async () => {
    await writeFile(join(root, 'a.webp'), 'content')
    await again(join(root, 'a.webp'))
  })

  test('when recording failed, and again before its end was reported', async () => {
    const gone = () => Promise.reject(new Error('the store is gone'))
    await expect(put({ remember: gone })).rejects.toThrow('the store is gone')
    let remembered = ''
    await put({
      remember: async path => {
        remembered = path
        // Once this is gone, the folder alone no longer shows the place.
        expect(await listed()).toContain('.refile-item.part')
      },
    })
    expect(remembered).toBe(join(root, 'a.webp'))
    await again(remembered)
  })

  test('when recording failed', async () => {
    const remember = () => Promise.reject(new Error('the store is gone'))
    await expect(put({ remember })).rejects.toThrow('the store is gone')
    await again(null)
  })

  test('even if the result was removed meanwhile', async () => {
    await again(join(root, 'a.webp'))
  })
})

describe('a disk without links', () => {
  beforeEach(async () => {
    const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    vi.mocked(link).mockRejectedValue(Object.assign(new Error('no links here'), { code: 'EPERM' }))
    return () => void vi.mocked(link).mockImplementation(files.link)
  })

  test('gets the result over an empty file that reserved the name', async () => {
    await writeFile(join(root, 'a.webp'), 'mine')
    expect(await put()).toBe(join(root, 'a (2).webp'))
    expect(await readFile(join(root, 'a (2).webp'), 'utf8')).toBe('content')
    expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
  })

  test('leaves no empty file if the name could not be recorded, and gets the name the next time', async () => {
    const gone = () => Promise.reject(new Error('the store is gone'))
    await expect(put({ remember: gone })).rejects.toThrow('the store is gone')
    expect(await listed()).toEqual([])
    expect(await put()).toBe(join(root, 'a.webp'))
  })

  test('records only names that it reserves', async () => {
    await writeFile(join(root, 'a.webp'), '')
    const recorded: string[] = []
    await put({ remember: async path => void recorded.push(path) })
    expect(recorded).toEqual([join(root, 'a (2).webp')])
    expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
  })

  test('an attempt that was interrupted before the file was moved is completed', async () => {
    await writeFile(partial(), 'content')
    await writeFile(join(root, 'a.webp'), '')
    expect(await put({ remembered: join(root, 'a.webp') })).toBe(join(root, 'a.webp'))
    expect(await readFile(join(root, 'a.webp'), 'utf8')).toBe('content')
    expect(await listed()).toEqual(['a.webp'])
  })

  test('so is one that was interrupted after it', async () => {
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
