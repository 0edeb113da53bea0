import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { filesIn } from '../../../../testing/archive-trees.ts'
import { contentsOf } from '../../../../testing/archives.ts'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { type Converted, convertFile } from '../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import {
  changed7z,
  type HostileMember,
  pax,
  renamed7z,
  tarMember,
  tarOf,
  tarOfMembers,
  zipOf,
} from '../../../../testing/hostile-archives.ts'
import { rar5 } from '../../../../testing/rar.ts'

const files = testFiles('hostile-archives')

type Format = '7z' | 'rar' | 'tar' | 'tar-bz2' | 'tar-gz' | 'zip'

const suffixes: Record<string, string> = { 'tar-gz': 'tar.gz', 'tar-bz2': 'tar.bz2' }
const targets: Record<Format, readonly string[]> = {
  '7z': ['iso', 'tar', 'zip'],
  rar: ['iso', 'tar', 'zip'],
  tar: ['iso', 'zip'],
  'tar-bz2': ['zip'],
  'tar-gz': ['zip'],
  zip: ['iso', 'tar', 'tar-gz'],
}

const write = (format: Format, bytes: Uint8Array) => files.write(bytes, suffixes[format] ?? format)
const converted = (format: Format, target: string, bytes: Uint8Array): Promise<Converted> =>
  convertFile(`archive.${format}-to-${target}`, write(format, bytes))

/** In the short suite, one: the reader judges, before anything is written. */
const refused = async (format: Format, bytes: Uint8Array, code: string) => {
  const path = write(format, bytes)
  for (const target of kinds(targets[format], each => each === targets[format].at(-1))) {
    await expect(convertFile(`archive.${format}-to-${target}`, path)).rejects.toMatchObject({ code })
  }
}

/** The files that libarchive unpacks from an archive, following links and leading paths as they are. */
function unpacked(path: string) {
  const around = mkdtempSync(join(files.folder, 'around-'))
  const to = join(around, 'in')
  mkdirSync(to)
  execFileSync('bsdtar', ['-xPf', path, '-C', to], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    stdio: 'pipe',
  })
  expect(readdirSync(around)).toEqual(['in'])
  const found = filesIn(to)
  rmSync(around, { recursive: true })
  return found
}

const contents = (found: ReturnType<typeof filesIn>) =>
  [...found.values()].flatMap(({ content }) => content ?? []).sort()

const outside = files.path('outside')

/** Names that lead out of the folder they are unpacked to, on at least one system. */
const wayward = [
  '../up.txt',
  '../../../../up.txt',
  'a/../../up.txt',
  './.././../up.txt',
  '..\\up.txt',
  'a\\..\\..\\up.txt',
  'a/..\\../up.txt',
  `${outside}/absolute.txt`,
  `/${outside}/absolute.txt`,
  '//server/share/unc.txt',
  '\\\\server\\share\\unc.txt',
  '\\\\?\\C:\\long.txt',
  'C:\\drive.txt',
  'C:/drive.txt',
  'c:drive.txt',
  '\\root.txt',
  '..',
  '../..',
  'sub/..',
]

/** Odd names that stay inside. */
const odd = [
  '....//dots.txt',
  '%2e%2e/percent.txt',
  '...',
  'NUL',
  'aux.txt',
  'COM1.log',
  'file.txt:stream',
  'end.',
  'end ',
  ' start',
  '-rf',
  '~',
  '$HOME',
  '`id`',
  'new\nline.txt',
  'escape\u001b[2J.txt',
  'bell\u0007',
  'photo\u202egpj.exe',
  'zero\u200bwidth',
  'Zalgo\u0301\u0302\u0303\u0304',
  'x'.repeat(255),
  '日'.repeat(85),
]

const filesOf = (names: readonly string[]): HostileMember[] =>
  names.map(name => ({ name, data: Buffer.from(`data of ${JSON.stringify(name)}`) }))

const asRar = (members: readonly HostileMember[]) =>
  rar5(
    members.map(({ name, data, kind, target }) => ({
      name: String(name),
      ...(data && { data }),
      ...(kind === 'folder' && { isFolder: true }),
      ...(kind === 'symlink' && { mode: 0o120777 }),
      ...((kind === 'symlink' || kind === 'hardlink') && { link: { kind, target: target ?? '' } }),
    })),
  )

const makers: [Format, (members: readonly HostileMember[]) => Buffer][] = [
  ['zip', zipOf],
  ['tar', tarOfMembers],
  ['tar-gz', members => gzipSync(tarOfMembers(members))],
  ['tar-bz2', members => execFileSync('bzip2', { input: tarOfMembers(members) })],
  ['rar', asRar],
]

/** An archive made by 7-Zip, with an uncompressed header. */
const packed7z = (...args: string[]) => {
  const path = files.path(`${Math.random()}.7z`)
  execFileSync('7z', ['a', '-mhc=off', ...args.slice(0, -1), path, args.at(-1)!], {
    cwd: files.folder,
    stdio: 'ignore',
  })
  return readFileSync(path)
}

beforeAll(() => {
  mkdirSync(files.path('xx/yy'), { recursive: true })
  writeFileSync(files.path('xx/yy/up.txt'), 'seven')
})

/** In the short suite, those that have names of any kind: compression around a TAR knows none, and RAR is read as they are. */
describe.each(kinds(makers, ([format]) => format === 'zip' || format === 'tar'))(
  'names in %s',
  (format, make) => {
    // In the short suite, what is read from a ZIP goes to a TAR, and what is read from that to a ZIP.
    const tried = kinds(targets[format], target => target === (format === 'zip' ? 'tar' : 'zip'))

    test.each(tried)('that lead out of the archive stay inside, in %s', async target => {
      const members = filesOf(wayward)
      const { path, warnings } = await converted(format, target, make(members))
      const found = unpacked(path)
      expect(existsSync(outside)).toBe(false)
      expect(contents(found)).toEqual(contents(unpacked(plainTar(members))))
      expect([...found.keys()].filter(name => /^[A-Za-z]:|\\/.test(name))).toEqual([])
      expect(warnings.join()).toMatch(/names that led/)
    })

    test.each(tried)('that are odd are kept or made harmless, in %s', async target => {
      const members = filesOf(odd)
      const { path } = await converted(format, target, make(members))
      const found = unpacked(path)
      expect(contents(found)).toEqual(contents(unpacked(plainTar(members))))
      expect([...found.keys()].filter(name => /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name))).toEqual([])
    })

    test.each(tried)('that occur twice are updates in TAR and all kept in others, in %s', async target => {
      const names = ['a.txt', 'a.txt', './a.txt', 'b/../a.txt', 'A.TXT', 'a.txt/in.txt', 'a.txt/a.txt']
      // What follows under the same name replaces it; names that lead out and back are not taken as the same.
      const replaced = format.startsWith('tar') ? [0, 1] : []
      const members = names.map((name, index) => ({ name, data: Buffer.from(`file ${index}`) }))
      const { path } = await converted(format, target, make(members))
      const found = unpacked(path)
      const kept = names.length - replaced.length
      expect([...found.values()].filter(({ kind }) => kind === 'file')).toHaveLength(kept)
      expect(new Set(contents(found)).size).toBe(kept)
      for (const index of replaced) expect(contents(found)).not.toContain(`file ${index}`)
    })

    test.each(tried)('nothing is written through links, in %s', async target => {
      mkdirSync(outside, { recursive: true })
      const data = Buffer.from('through')
      const members: HostileMember[] = [
        { name: 'out', kind: 'symlink', target: outside },
        { name: 'out/evil.txt', data },
        { name: 'up', kind: 'symlink', target: '..' },
        { name: 'up/up', kind: 'symlink', target: '..' },
        { name: 'up/up/evil.txt', data },
        { name: 'up/UP/../../up/evil.txt', data },
        { name: 'self', kind: 'symlink', target: 'self' },
        { name: 'self/evil.txt', data },
      ]
      const { path } = await converted(format, target, make(members))
      const found = unpacked(path)
      expect(readdirSync(outside)).toEqual([])
      rmSync(outside, { recursive: true })
      expect(contents(found)).toHaveLength(4)
      expect(found.get('out')).toMatchObject({ kind: 'symlink', target: outside })
    })
  },
)

/** The same contents under plain names. */
function plainTar(members: readonly HostileMember[]): string {
  return write('tar', tarOf(...members.map((member, index) => tarMember({ ...member, name: `${index}` }))))
}

describe('7z', () => {
  const renamed = [
    ['xx/yy', '../..'],
    ['xx/yy', '/////'],
    ['xx/yy', 'C:/yy'],
    ['xx/yy', '..\\..'],
  ] as const
  test.each(kinds(renamed, ([, to]) => to === '../..'))(
    '%s that becomes %s stays inside',
    async (from, to) => {
      const bytes = renamed7z(packed7z('xx/yy/up.txt'), from, to)
      for (const target of kinds(targets['7z'], each => each === 'zip')) {
        const { path, warnings } = await converted('7z', target, bytes)
        expect([...unpacked(path).values()].filter(({ kind }) => kind === 'file')).toHaveLength(1)
        expect(warnings.join()).toMatch(/A name that led/)
      }
    },
  )

  testFull('a dictionary declared as huge takes no memory', async () => {
    // LZMA properties: 5 bytes, the last four are the size of the dictionary.
    const archive = packed7z('-m0=lzma:d=64k', 'xx/yy/up.txt')
    const huge = changed7z(archive, header => {
      const coder = header.indexOf(Buffer.from([0x23, 0x03, 0x01, 0x01, 0x05, 0x5d]))
      header.writeUInt32LE(0xffff_ffff, coder + 6)
    })
    const { path } = await converted('7z', 'tar', huge)
    expect(contents(unpacked(path))).toHaveLength(1)
  })

  testFull('wrong numbers count as damage', async () => {
    const archive = packed7z('xx/yy/up.txt')
    const count = changed7z(archive, header => {
      const filesInfo = header.lastIndexOf(Buffer.from([0x05, 0x01]))
      header[filesInfo + 1] = 0xff
    })
    await refused('7z', count, 'jobs.corrupt_input')
    const far = Buffer.from(archive)
    far.writeBigUInt64LE(2n ** 62n, 12)
    await refused('7z', far, 'jobs.corrupt_input')
    const wrong = Buffer.from(archive)
    // A byte of the stored data.
    wrong[36] = wrong[36]! ^ 1
    await refused('7z', wrong, 'jobs.corrupt_input')
  })
})

const text = Buffer.from('some text '.repeat(100))

describe('ZIP', () => {
  test('the central directory counts, not the local headers', async () => {
    const { path } = await converted(
      'zip',
      'tar',
      zipOf([{ name: 'safe.txt', localName: '../evil', data: text }]),
    )
    expect([...unpacked(path).keys()]).toEqual(['safe.txt'])
  })

  test.each([
    ['a wrong checksum', zipOf([{ name: 'a', data: text, crc: 1 }])],
    ['a size that is too small', zipOf([{ name: 'a', data: text, size: 10 }])],
    ['a size that is too large', zipOf([{ name: 'a', data: text, size: 100_000 }])],
    ['a packed size past the end', zipOf([{ name: 'a', data: text, packedSize: 100_000 }])],
    ['data past the end', zipOf([{ name: 'a', data: text, offset: 1_000_000 }])],
    ['more entries than there are', zipOf([{ name: 'a', data: text }], { count: 2 })],
    ['fewer entries than there are', zipOf([{ name: 'a' }, { name: 'b' }], { count: 1 })],
    ['a directory past the end', zipOf([{ name: 'a' }], { offset: 100_000 })],
    [
      'a size of 2^63',
      zipOf([
        {
          name: 'a',
          data: text,
          size: 0xffff_ffff,
          extra: Buffer.from('01000800000000000000008000000000'.slice(0, 24), 'hex'),
        },
      ]),
    ],
  ])('%s is damage', async (_, bytes) => {
    await refused('zip', bytes, 'jobs.corrupt_input')
  })

  test('an entry in the middle of other data is left out', async () => {
    const bytes = zipOf([
      { name: 'a', data: text },
      { name: 'b', data: text, offset: 7 },
    ])
    const { warnings } = await convertFile('archive.zip-to-tar', files.write(bytes, 'zip'))
    expect(warnings).toEqual([expect.stringContaining('the first "b"')])
  })

  test('a size of 4 GB is too large', async () => {
    await refused('zip', zipOf([{ name: 'a', data: text, size: 0xffff_fffe }]), 'jobs.too_large')
  })

  test('an unknown compression method, and one that needs a password', async () => {
    await refused('zip', zipOf([{ name: 'a', data: text, method: 77 }]), 'jobs.unsupported_input')
    await refused('zip', zipOf([{ name: 'a', data: text, flags: 1 }]), 'jobs.encrypted_input')
  })

  test('bombs: one large file, and entries that share their data', async () => {
    const megabyte = deflateRawSync(Buffer.alloc(1 << 20))
    const large = (count: number) =>
      zipOf([
        { name: '0', data: megabyte, method: 0 },
        ...Array.from({ length: count }, (_, index) => ({
          name: `bomb ${index}`,
          method: 8,
          size: 1 << 28,
          packedSize: 1 << 18,
          offset: 0,
        })),
      ])
    await refused('zip', large(5), 'jobs.too_large')
    const shared = Array.from({ length: 50 }, (_, index) => ({ name: `same ${index}`, offset: 0 }))
    const small = zipOf([{ name: 'first', data: text }, ...shared.map(member => ({ ...member, data: text }))])
    const { path } = await converted('zip', 'tar', small)
    expect(new Set(contents(unpacked(path))).size).toBe(1)
  })

  testFull('archives in archives are treated like other files', async () => {
    const inner = zipOf([{ name: 'deeper.zip', data: zipOf([{ name: '../evil', data: text }]) }])
    const { path } = await converted('zip', 'tar', zipOf([{ name: 'inner.zip', data: inner }]))
    expect(execFileSync('bsdtar', ['-xOf', path, 'inner.zip'])).toEqual(inner)
  })

  testFull('names that differ only in Unicode normalization stay unchanged', async () => {
    // Python reads the names, since libarchive normalizes all of them.
    const members = filesOf(['caf\u00e9', 'cafe\u0301'])
    const { path } = await converted('zip', 'tar', zipOf(members))
    expect(Object.keys(contentsOf(path))).toEqual(members.map(({ name }) => name))
  })

  testFull('timestamps are unsigned where the DOS time is after 2037', async () => {
    const extra = Buffer.from([0x55, 0x54, 5, 0, 1, 1, 0, 0, 0xf0])
    const late = { name: 'late', data: text, extra, dosTime: (2097 - 1980) * 2 ** 25 + (8 << 21) + (1 << 16) }
    const { path } = await converted('zip', 'tar', zipOf([late, { name: 'early', data: text, extra }]))
    const found = contentsOf(path)
    expect(found.late?.seconds).toBe(0xf000_0001)
    expect(found.early?.seconds).toBe(0xf000_0001 - 2 ** 32)
  })

  test('names with NUL characters', async () => {
    const { path } = await converted('zip', 'tar', zipOf([{ name: 'safe.txt\0.exe', data: text }]))
    expect([...unpacked(path).keys()]).toEqual(['safe.txt_.exe'])
  })
})

describe('TAR', () => {
  const binary = (...bytes: number[]) =>
    Buffer.concat([Buffer.from(bytes), Buffer.alloc(12 - bytes.length, 0xff)])

  test.each([
    ['letters', 'what is it?!'],
    ['digits that are not octal', '00000000999\0'],
    ['more than there is', '00077777777\0'],
    ['a minus', '-0000000001\0'],
    ['a negative number in binary', binary(0xff)],
    ['a huge number in binary', binary(0x80, 0x7f)],
    ['the largest number in binary', binary(0xbf)],
  ])('a size of %s is damage', async (_, sizeField) => {
    const bytes = tarOf(
      tarMember({ name: 'first', data: text }),
      tarMember({ name: 'a', data: text, sizeField }),
    )
    for (const [format, packed] of [
      ['tar', bytes],
      ['tar-gz', gzipSync(bytes)],
    ] as const) {
      await expect(converted(format, 'zip', packed)).rejects.toMatchObject({
        code: 'jobs.corrupt_input',
      })
    }
  })

  test.each<[records: Record<string, string>]>([
    [{ size: '-1' }],
    [{ size: '99999999999999999999999' }],
    [{ size: 'NaN' }],
    [{ size: '0x10' }],
    [{ size: '1e4' }],
  ])('extended headers that lie: %o', async records => {
    const bytes = tarOf(pax(records), tarMember({ name: 'a', data: text }))
    await expect(converted('tar', 'zip', bytes)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  testFull('extended headers of many megabytes, and very many of them', async () => {
    const huge = tarOf(pax({ path: 'x'.repeat(17 << 20) }), tarMember({ name: 'a' }))
    await refused('tar-gz', gzipSync(huge), 'jobs.too_large')
    const highBitDepth = tarOf(pax({ path: 'x/'.repeat(5000) }), tarMember({ name: 'a' }))
    await refused('tar', highBitDepth, 'jobs.too_large')
    const many = tarOf(
      ...Array.from({ length: 2000 }, () => pax({ path: 'same' })),
      tarMember({ name: 'a', data: text }),
    )
    const { path } = await converted('tar', 'zip', many)
    expect([...unpacked(path).keys()]).toEqual(['same'])
  })

  test('hard links to the outside, to themselves, to later entries and through links', async () => {
    const link = (name: string, target: string): HostileMember => ({ name, kind: 'hardlink', target })
    const members: HostileMember[] = [
      link('passwd', '/etc/passwd'),
      link('up', '../../../etc/passwd'),
      link('itself', 'itself'),
      link('later', 'file'),
      { name: 'file', data: text },
      link('good', 'file'),
      link('also good', './sub/../file'),
      { name: 'etc', kind: 'symlink', target: '/etc' },
      link('through', 'etc/passwd'),
    ]
    for (const target of targets.tar) {
      const { path, warnings } = await converted('tar', target, tarOfMembers(members))
      expect([...unpacked(path).keys()].sort()).toEqual(['also good', 'etc', 'file', 'good'])
      expect(warnings.join()).toMatch(/[45] hard links were left out/)
    }
  })

  test('devices and pipes are left out', async () => {
    const members = ['3', '4', '6'].map(type => tarMember({ name: `device ${type}`, type }))
    const { path, warnings } = await converted(
      'tar',
      'zip',
      tarOf(...members, tarMember({ name: 'a', data: text })),
    )
    expect([...unpacked(path).keys()]).toEqual(['a'])
    expect(warnings.join()).toContain('3 devices or pipes were left out')
  })
})

describe('compressed TARs', () => {
  const good = tarOf(tarMember({ name: 'a', data: text }))

  test('a wrong checksum or length is damage', async () => {
    const packed = gzipSync(good)
    for (const at of [packed.length - 8, packed.length - 4]) {
      const wrong = Buffer.from(packed)
      wrong[at] = wrong[at]! ^ 1
      await refused('tar-gz', wrong, 'jobs.corrupt_input')
    }
    const bzip2 = execFileSync('bzip2', { input: good })
    // The checksum of the block itself.
    bzip2[10] = bzip2[10]! ^ 1
    await refused('tar-bz2', bzip2, 'jobs.corrupt_input')
  })

  testFull('data after the end: zeros, other text, very many empty members', async () => {
    const empty = gzipSync('')
    for (const tail of [Buffer.alloc(1 << 20), Buffer.concat(Array.from({ length: 20_000 }, () => empty))]) {
      const { path } = await converted('tar-gz', 'zip', Buffer.concat([gzipSync(good), tail]))
      expect([...unpacked(path).keys()]).toEqual(['a'])
    }
    const bzip2 = execFileSync('bzip2', { input: good })
    const { path } = await converted('tar-bz2', 'zip', Buffer.concat([bzip2, Buffer.alloc(300)]))
    expect([...unpacked(path).keys()]).toEqual(['a'])
    // If the TAR has no end marker, what follows may be a damaged part of it.
    const open = execFileSync('bzip2', { input: tarMember({ name: 'a', data: text }) })
    await refused('tar-bz2', Buffer.concat([open, Buffer.alloc(300)]), 'jobs.corrupt_input')
  })

  testFull('bombs: zeros after the end, and a file of nothing but zeros', async () => {
    const zeros = Buffer.alloc(64 << 20)
    const behind = gzipSync(Buffer.concat([good, zeros]), { level: 1 })
    const { path } = await converted('tar-gz', 'zip', behind)
    expect([...unpacked(path).keys()]).toEqual(['a'])
    const size = Buffer.from(`${(60 * 2 ** 30).toString(8).padStart(12, '0')}`)
    await refused('tar-gz', gzipSync(tarMember({ name: 'a', data: text, sizeField: size })), 'jobs.too_large')
  })
})

describeFull('RAR', true, () => {
  test('a wrong checksum, and a wrong size', async () => {
    const good = rar5([{ name: 'a.txt', data: text }])
    const wrong = Buffer.from(good)
    const at = wrong.indexOf('some text')
    wrong[at] = 0
    await refused('rar', wrong, 'jobs.corrupt_input')
    await refused('rar', good.subarray(0, good.length - 200), 'jobs.corrupt_input')
  })
})

test('the check for escaping names finds one', () => {
  const path = write('tar', tarOf(tarMember({ name: '../seen.txt', data: text })))
  expect(() => unpacked(path)).toThrow()
  expect(tool('bsdtar', '-tf', path)).toContain('../seen.txt')
})
