import { spawnSync } from 'node:child_process'
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { canMount, smallDisk } from '../../../testing/disk.ts'
import { ignoringCase } from '../../../testing/ignoring-case.ts'
import { writeDurably } from './durable.ts'
import { FileChanged, moveFile } from './move.ts'
import { NameTakenError, type Naming } from './naming.ts'
import { hashOf, PartialFile, place, type Where } from './place.ts'
import { DamagedResult, holds } from './unpack.ts'

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

const listed = async (where = root) => (await readdir(where, { recursive: true })).toSorted()
const read = (name: string) => readFile(join(root, name), 'utf8')
const put = (given: Partial<Where & Naming> = {}, signal?: AbortSignal) =>
  place({ from }, { root, name: 'a.webp', taken: 'number', ...given }, signal && { signal })

test('a file is placed, and what it is made of is kept', async () => {
  expect(await put()).toBe(join(root, 'a.webp'))
  expect((await stat(from)).nlink).toBe(1)
  await writeFile(join(root, 'a.webp'), 'edited')
  expect(await readFile(from, 'utf8')).toBe('content')
  expect(await listed()).toEqual(['a.webp'])
})

test.skipIf(process.platform === 'win32')('it has the permissions of other new files there', async () => {
  await chmod(from, 0o600)
  await writeFile(join(root, 'mine'), '')
  expect((await stat(await put())).mode).toBe((await stat(join(root, 'mine'))).mode)
})

test('nothing is replaced unless it is to be', async () => {
  await writeFile(join(root, 'a.webp'), 'mine')
  await mkdir(join(root, 'a (2).webp'))
  await expect(put({ taken: 'refuse' })).rejects.toThrow(NameTakenError)
  expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
  expect(await put()).toBe(join(root, 'a (3).webp'))
  expect(await read('a.webp')).toBe('mine')
  expect(await put({ taken: 'replace' })).toBe(join(root, 'a.webp'))
  expect(await read('a.webp')).toBe('content')
})

test('many at once get different names', async () => {
  const paths = await Promise.all(Array.from({ length: 20 }, () => put()))
  expect(new Set(paths).size).toBe(20)
  expect(await listed()).toHaveLength(20)
})

test('folders below are made, but the chosen one only if it may be', async () => {
  expect(await put({ folders: ['x', 'y'] })).toBe(join(root, 'x', 'y', 'a.webp'))
  expect(await put({ folders: ['x', 'y'] })).toBe(join(root, 'x', 'y', 'a (2).webp'))
  await rm(root, { recursive: true })
  await expect(put({ folders: ['x'] })).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(stat(root)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await put({ isMade: true })).toBe(join(root, 'a.webp'))
  await rm(root, { recursive: true })
  await writeFile(root, 'a file')
  await expect(put()).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.skipIf(process.platform === 'win32')('no link below the chosen folder is followed', async () => {
  const away = join(folder, 'away')
  await mkdir(away)
  await symlink(away, join(root, 'x'))
  await expect(put({ folders: ['x', 'y'] })).rejects.toMatchObject({ code: 'ELOOP' })
  // One that is put there while the file is written.
  await using partial = await PartialFile.receive({ from }, { root, folders: ['z'] })
  await rename(join(root, 'z'), join(root, 'was'))
  await symlink(away, join(root, 'z'))
  await expect(partial.place({ name: 'a', taken: 'replace' })).rejects.toMatchObject({ code: 'ELOOP' })
  expect(await listed(away)).toEqual([])
  // The chosen folder itself may be a link.
  expect(await put({ root: join(root, 'z') })).toBe(join(root, 'z', 'a.webp'))
})

test.skipIf(process.platform === 'win32')('nor is one that somebody puts where it is written', async () => {
  const victim = join(folder, 'victim')
  await writeFile(victim, 'mine')
  const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
  vi.mocked(writeFile).mockImplementationOnce(async (path, ...rest) => {
    await symlink(victim, path as string)
    return files.writeFile(path, ...rest)
  })
  const content = new Blob(['content']).stream()
  const placed = place(content, { root, name: 'a', taken: 'number' })
  await expect(placed).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await readFile(victim, 'utf8')).toBe('mine')
})

test('what breaks off or is aborted leaves nothing', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
      controller.error(new Error('the cable'))
    },
  })
  await expect(place(broken, { root, name: 'a', taken: 'number' })).rejects.toThrow('the cable')
  await expect(put({}, AbortSignal.abort())).rejects.toThrow()
  expect(await listed()).toEqual([])
})

test.runIf(canMount)('so does a disk that is too small, and another disk gets a copy', async () => {
  const disk = await smallDisk(1)
  expect(await put({ root: disk })).toBe(join(disk, 'a.webp'))
  await rm(join(disk, 'a.webp'))
  await writeFile(from, Buffer.alloc(2 ** 22))
  await expect(put({ root: disk })).rejects.toMatchObject({ code: 'ENOSPC' })
  await pack({ 'a-1.txt': 'first', 'a-2.txt': Buffer.alloc(2 ** 22) })
  await expect(PartialFile.unpack(from, { root: disk })).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await readdir(disk)).toEqual([])
})

test('a name is announced before it is given, and each only if it is free', async () => {
  await writeFile(join(root, 'a.webp'), 'mine')
  const announced: string[] = []
  const announce = async (path: string) => {
    announced.push(path)
    expect(await listed()).not.toContain('a (2).webp')
  }
  await put({ announce })
  expect(announced).toEqual([join(root, 'a (2).webp')])
  const gone = () => Promise.reject(new Error('the store is gone'))
  await expect(put({ announce: gone })).rejects.toThrow('the store is gone')
  expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
})

test('what a crashed process left is removed, and what others are writing stays', async () => {
  const script = `import { PartialFile } from ${JSON.stringify(join(import.meta.dirname, 'place.ts'))}
    await PartialFile.receive({ from: ${JSON.stringify(from)} }, { root: ${JSON.stringify(root)} })
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script])
  const [left = ''] = await listed()
  expect(left).toMatch(/^\.refile-.*\.part$/)
  const running = left.replace(/-\d+-/, `-${process.ppid}-`)
  await writeFile(join(root, running), '')
  await writeFile(join(root, left.replace('.refile-', '.mine-')), '')
  await put()
  expect(await listed()).toEqual([left.replace('.refile-', '.mine-'), running, 'a.webp'].toSorted())
})

test('a small file is written at once, for its owner, whatever its partial file is called', async () => {
  await writeFile(join(root, 'a.json.part'), 'mine')
  await writeDurably(join(root, 'a.json'), 'new')
  expect(await listed()).toEqual(['a.json', 'a.json.part'])
  if (process.platform !== 'win32') expect((await stat(join(root, 'a.json'))).mode & 0o777).toBe(0o600)
})

describe('several files', () => {
  beforeEach(() => pack({ 'a-1.txt': 'first', 'more/a-2.txt': 'second' }))
  const unpacked = (where: Partial<Where> = {}) => PartialFile.unpack(from, { root, ...where })
  const whole = (name: string) => [
    name,
    join(name, 'a-1.txt'),
    join(name, 'more'),
    join(name, 'more', 'a-2.txt'),
  ]

  test('come into a folder with the date, which replaces and fills none', async () => {
    await writeFile(join(root, 'a'), 'mine')
    await mkdir(join(root, 'a (2)'))
    await writeFile(join(root, 'a (2)', 'b'), 'mine')
    const modifiedAt = Date.UTC(2019, 4, 17, 8, 30)
    await using partial = await unpacked()
    await partial.date(modifiedAt)
    await expect(partial.place({ name: 'a', taken: 'refuse' })).rejects.toThrow(NameTakenError)
    expect(await partial.place({ name: 'a', taken: 'number' })).toBe(join(root, 'a (3)'))
    expect((await stat(join(root, 'a (3)', 'more', 'a-2.txt'))).mtimeMs).toBe(modifiedAt)
    await using dotted = await unpacked()
    await mkdir(join(root, 'b.1'))
    await writeFile(join(root, 'b.1', 'b'), 'mine')
    expect(await dotted.place({ name: 'b.1', taken: 'number' })).toBe(join(root, 'b.1 (2)'))
    expect(await listed(join(root, 'a (3)'))).toEqual(['a-1.txt', 'more', join('more', 'a-2.txt')])
  })

  test('are the result while every one reads as it was made', async () => {
    await using partial = await unpacked()
    const hash = await hashOf(partial.path)
    const path = await partial.place({ name: 'a', taken: 'number' })
    expect([await holds(path, from), await hashOf(path)]).toEqual([true, hash])
    await writeFile(join(path, 'more', 'a-2.txt'), 'sixth!')
    expect(await holds(path, from)).toBe(false)
    expect(await hashOf(path)).not.toBe(hash)
  })

  test('of which one is damaged, or that are aborted, leave nothing', async () => {
    await expect(PartialFile.unpack(from, { root }, { signal: AbortSignal.abort() })).rejects.toThrow()
    await writeFile(from, (await readFile(from)).toString('latin1').replace('second', 'secOnd'), 'latin1')
    await expect(unpacked()).rejects.toThrow(DamagedResult)
    expect(await listed()).toEqual([])
  })

  test('get names of their own, all or none, and what they replaced comes back', async () => {
    await mkdir(join(root, 'more'))
    await writeFile(join(root, 'a-1.txt'), 'mine')
    await mkdir(join(root, 'more', 'a-2.txt'))
    {
      await using files = await unpacked()
      await expect(files.placeEach('replace')).rejects.toMatchObject({ code: 'EISDIR' })
    }
    expect(await listed()).toEqual(['a-1.txt', 'more', join('more', 'a-2.txt')])
    expect(await read('a-1.txt')).toBe('mine')
    {
      await using files = await unpacked()
      expect(await files.placeEach('number')).toEqual([
        join(root, 'a-1 (2).txt'),
        join(root, 'more', 'a-2 (2).txt'),
      ])
    }
    expect(await listed()).toHaveLength(5)
  })

  test('are whole or not there if the one before was interrupted', async () => {
    expect(whole('a')).toHaveLength(4)
    await using partial = await unpacked({ folders: ['x'] })
    expect(await listed()).not.toContain(join('x', 'a'))
    await partial.place({ name: 'a', taken: 'number' })
    expect(await listed()).toEqual(['x', ...whole('a').map(name => join('x', name))])
  })
})

describe('a disk without links', () => {
  afterEachLink()

  test.each(['EPERM', 'EISDIR', 'ENOTSUP', 'ENOSYS', 'EACCES', 'EINVAL', 'EMLINK', 'UNKNOWN'])(
    'that says so by %s gets the file over an empty one that reserved the name',
    async code => {
      vi.mocked(link).mockRejectedValue(Object.assign(new Error('no links here'), { code }))
      await writeFile(join(root, 'a.webp'), 'mine')
      expect(await put()).toBe(join(root, 'a (2).webp'))
      expect(await read('a (2).webp')).toBe('content')
      expect(await listed()).toEqual(['a (2).webp', 'a.webp'])
    },
  )

  test('an attempt that was interrupted after it had reserved the name takes it', async () => {
    vi.mocked(link).mockRejectedValue(Object.assign(new Error('no links here'), { code: 'EPERM' }))
    await writeFile(join(root, 'a.webp'), '')
    expect(await put({ announced: join(root, 'a.webp') })).toBe(join(root, 'a.webp'))
    expect(await listed()).toEqual(['a.webp'])
    expect(await read('a.webp')).toBe('content')
  })

  test('a server that links the file and loses its answer makes no second one', async () => {
    const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    vi.mocked(link).mockImplementation(async (one, other) => {
      await files.link(one, other)
      throw Object.assign(new Error('it is there'), { code: 'EEXIST' })
    })
    expect(await put()).toBe(join(root, 'a.webp'))
    expect(await listed()).toEqual(['a.webp'])
  })
})

describe('an original moves', () => {
  const move = async (to: string, path = from) => moveFile(path, { root: to }, await hashOf(from))

  test('and replaces nothing', async () => {
    await writeFile(join(root, 'result'), 'mine')
    expect(await move(root)).toBe(join(root, 'result (2)'))
    expect([await read('result'), await read('result (2)')]).toEqual(['mine', 'content'])
    expect(await listed(folder)).not.toContain('result')
  })

  test.runIf(canMount)('to another disk with its date, two of one name at once too', async () => {
    const disk = await smallDisk(1)
    await utimes(from, 1e9, 1e9)
    await mkdir(join(folder, 'other'))
    const other = join(folder, 'other', 'result')
    await writeFile(other, 'content')
    const moved = await Promise.all([move(disk), move(disk, other)])
    expect(moved.toSorted()).toEqual([join(disk, 'result (2)'), join(disk, 'result')].toSorted())
    expect(await Promise.all(moved.map(path => readFile(path, 'utf8')))).toEqual(['content', 'content'])
    expect((await stat(moved[0]!)).mtimeMs).toBe(1e12)
    expect(await listed(disk)).toHaveLength(2)
    expect(await listed(folder)).toEqual(['other', 'out'])
  })

  test.runIf(canMount)('once the copy is on the other disk, by its name', async () => {
    const disk = await smallDisk(1)
    const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    const steps: string[] = []
    vi.mocked(open).mockImplementation(async (...given) => {
      if (given[1] === 'wx') steps.push('a name is reserved')
      const file = await files.open(...given)
      const sync = file.sync.bind(file)
      file.sync = async () => {
        steps.push(given[0] === disk ? 'its name is there' : 'its content is there')
        await sync()
      }
      return file
    })
    vi.mocked(link).mockImplementationOnce(async (...given) => {
      steps.push('it gets its name')
      await files.link(...given)
    })
    vi.mocked(rename).mockImplementation(async (one, other) => {
      await files.rename(one, other)
      steps.push('the original goes')
    })
    await move(disk)
    vi.mocked(open).mockImplementation(files.open)
    vi.mocked(rename).mockImplementation(files.rename)
    const expected = ['its content is there', 'it gets its name', 'its name is there', 'the original goes']
    expect(steps).toEqual(expected)
  })

  test.runIf(canMount)(
    'to another disk once, also if that was interrupted after the copy had its name',
    async () => {
      const disk = await smallDisk(1)
      await writeFile(join(disk, 'result'), 'mine')
      const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
      vi.mocked(rename).mockImplementation(async (one, other) => {
        if (String(other).includes('.aside')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
        await files.rename(one, other)
      })
      await expect(move(disk)).rejects.toMatchObject({ code: 'EIO' })
      vi.mocked(rename).mockImplementation(files.rename)
      expect(await readFile(from, 'utf8')).toBe('content')
      expect(await move(disk)).toBe(join(disk, 'result (2)'))
      expect([await listed(disk), await readFile(join(disk, 'result'), 'utf8')]).toEqual([
        ['result', 'result (2)'],
        'mine',
      ])
      expect(await listed(folder)).not.toContain('result')
    },
  )

  test.runIf(canMount)('to another disk not if it is written to meanwhile', async () => {
    const disk = await smallDisk(1)
    const content = await hashOf(from)
    await writeFile(from, 'changed')
    await expect(moveFile(from, { root: disk }, content)).rejects.toThrow(FileChanged)
    expect(await readFile(from, 'utf8')).toBe('changed')
    expect(await listed(disk)).toEqual([])
  })

  test('not if it is replaced at the last moment, and neither of the two is lost', async () => {
    const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    vi.mocked(rename).mockImplementationOnce(async (one, other) => {
      await files.writeFile(`${from}.new`, 'another')
      await files.rename(`${from}.new`, from)
      await files.rename(one, other)
    })
    await expect(move(root)).rejects.toThrow(FileChanged)
    expect(await readFile(from, 'utf8')).toBe('another')
    expect(await listed()).toEqual([])
    expect((await lstat(from)).isFile()).toBe(true)
  })
})

const pack = (files: Record<string, string | Buffer>): Promise<void> =>
  writeFile(
    from,
    zipSync(
      Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])),
      { level: 0 },
    ),
  )

describe('a disk that ignores case', () => {
  beforeEach(async () => {
    const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    const { link: linked, rename: renamed, lstat: seen, open: opened } = ignoringCase(files)
    vi.mocked(link).mockImplementation(linked!)
    vi.mocked(rename).mockImplementation(renamed!)
    vi.mocked(lstat).mockImplementation(seen!)
    vi.mocked(open).mockImplementation(opened!)
    return () => {
      vi.mocked(link).mockImplementation(files.link)
      vi.mocked(rename).mockImplementation(files.rename)
      vi.mocked(lstat).mockImplementation(files.lstat)
      vi.mocked(open).mockImplementation(files.open)
    }
  })

  test.each(['with', 'without'])(
    'and is one %s links keeps files of names that differ in case',
    async kind => {
      const links = vi.mocked(link)
      if (kind === 'without') links.mockRejectedValue(Object.assign(new Error('none'), { code: 'EPERM' }))
      await writeFile(join(root, 'A.WEBP'), 'mine')
      await writeFile(join(root, 'RESULT'), 'mine')
      await Promise.all([put(), put({ name: 'a.Webp' })])
      await expect(put({ taken: 'refuse' })).rejects.toThrow(NameTakenError)
      expect([await read('A.WEBP'), (await listed()).length]).toEqual(['mine', 4])
      expect(await put({ taken: 'replace' })).toBe(join(root, 'a.webp'))
      expect([await read('A.WEBP'), (await listed()).length]).toEqual(['content', 4])
      expect(await moveFile(from, { root }, await hashOf(from))).toBe(join(root, 'result (2)'))
      expect([await read('RESULT'), (await listed()).length]).toEqual(['mine', 5])
    },
  )
})

function afterEachLink(): void {
  beforeEach(async () => {
    const files = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    return () => void vi.mocked(link).mockImplementation(files.link)
  })
}

vi.mock('node:fs/promises', async importActual => {
  const files = await importActual<typeof import('node:fs/promises')>()
  return {
    ...files,
    ...{ link: vi.fn(files.link), rename: vi.fn(files.rename) },
    ...{ lstat: vi.fn(files.lstat), open: vi.fn(files.open), writeFile: vi.fn(files.writeFile) },
  }
})
