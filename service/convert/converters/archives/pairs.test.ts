import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { contentsOf, type Judged, readContents } from '../../../../testing/archives.ts'
import { cabOf } from '../../../../testing/cab.ts'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { type Converted, convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import { judge, tool } from '../../../../testing/fixtures/media.ts'
import { output } from '../../../../testing/fixtures/programs.ts'
import { changed7z, zipOf } from '../../../../testing/hostile-archives.ts'
import { type RarMember, rar4, rar5 } from '../../../../testing/rar.ts'
import converters from './index.ts'

const files = testFiles('archives')
const tree = files.path('tree')

/** A compressible text of words. */
const textOf = (lines: number) =>
  Buffer.from(Array.from({ length: lines }, (_, index) => `line ${index * 7919}\n`).join(''))
const long = textOf(15_000)

function put(name: string, content: Buffer | string, seconds = 1_500_000_000): void {
  const path = join(tree, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  utimesSync(path, seconds, seconds)
}

const pack = (program: string, ...args: string[]) => output(program, args, { cwd: tree })

beforeAll(() => {
  put('plain.txt', 'plain')
  put('empty.txt', '')
  put('long.txt', long)
  put('noise.bin', randomBytes(100_000))
  put('Größe/日本語 🚀.txt', 'names', 1_600_000_001)
  put('a/b/c/d/e/f/deep.txt', 'deep')
  put(`${'long folder '.repeat(10)}/${'long name '.repeat(12)}.txt`, 'long')
  put('program', '#!/bin/sh\n')
  put('old.txt', 'before DOS', 100_000_000)
  chmodSync(join(tree, 'program'), 0o755)
  chmodSync(join(tree, 'plain.txt'), 0o400)
  mkdirSync(join(tree, 'nothing in it'))
  symlinkSync('a/b/../b/c', join(tree, 'link'))
  symlinkSync('/etc/hosts', join(tree, 'outward'))
  linkSync(join(tree, 'long.txt'), join(tree, 'second name.txt'))
  for (const folder of ['Größe', 'a', 'nothing in it'])
    utimesSync(join(tree, folder), 1_400_000_000, 1_400_000_000)
  pack('7z', 'a', '-snl', '-mx=1', files.path('a.7z'), '.')
  pack('zip', '-qry', files.path('a.zip'), '.')
  pack('tar', '--format=pax', '-cf', files.path('a.tar'), '.')
  pack('tar', '--format=gnu', '-czf', files.path('a.tar.gz'), '.')
  pack('bsdtar', '-cjf', files.path('a.tar.bz2'), '.')
  pack('bsdtar', '-cJf', files.path('a.tar.xz'), '.')
  pack('bsdtar', '--format=newc', '-cf', files.path('a.cpio'), '.')
  writeFileSync(files.path('a.tar.zst'), zstdCompressSync(readFileSync(files.path('a.tar'))))
  writeFileSync(files.path('a.rar'), rar5(members))
  writeFileSync(files.path('a.cab'), cabOf(cabinet))
  pack('cp', '-a', tree, files.path('package'))
  mkdirSync(files.path('package/DEBIAN'))
  const control = 'Package: a\nVersion: 1\nArchitecture: all\nMaintainer: A <a@b.c>\nDescription: a\n'
  writeFileSync(files.path('package/DEBIAN/control'), control)
  pack('dpkg-deb', '--build', '-Zxz', files.path('package'), files.path('a.deb'))
  // The same members as TAR, since libarchive cannot read hard links of RAR.
  mkdirSync(files.path('rar/Größe'), { recursive: true })
  for (const { name, data, mode = 0o100644, seconds = 1e9, link } of members) {
    const path = files.path(`rar/${name}`)
    if (link?.kind === 'symlink') symlinkSync(link.target, path)
    else if (link) linkSync(files.path(`rar/${link.target}`), path)
    else if (data) writeFileSync(path, data, { mode: mode & 0o777 })
    if (!link) utimesSync(path, seconds, seconds)
  }
  utimesSync(files.path('rar/Größe'), 1_400_000_000, 1_400_000_000)
  output('tar', ['--format=pax', '-cf', files.path('rar.tar'), '.'], { cwd: files.path('rar') })
})

const members: RarMember[] = [
  { name: 'Größe', isFolder: true, seconds: 1_400_000_000 },
  { name: 'Größe/日本語 🚀.txt', data: Buffer.from('names') },
  { name: 'long.txt', data: long },
  { name: 'empty.txt', data: Buffer.alloc(0) },
  { name: 'program', data: Buffer.from('#!/bin/sh\n'), mode: 0o100755 },
  { name: 'link', mode: 0o120777, link: { kind: 'symlink', target: 'Größe' } },
  { name: 'second name.txt', link: { kind: 'hardlink', target: 'long.txt' } },
  { name: 'last.txt', data: Buffer.from('last') },
]

/** 14 May 2020, 12:30:10. */
const dosTime = (((40 << 9) | (5 << 5) | 14) << 16) | (12 << 11) | (30 << 5) | 5
const cabinet = [
  { name: 'Größe\\日本語.txt', data: Buffer.from('names'), dosTime },
  { name: 'long.txt', data: long, dosTime },
  { name: 'empty.txt', data: Buffer.alloc(0), dosTime },
]

const sourceOf = (format: string) => files.path(`a.${format.replace('tar-', 'tar.')}`)

/** Where the judge finds the same members: libarchive reads no hard links of RAR, and no content of those in CPIO. */
const judgedOf = (format: string) =>
  format === 'rar' ? files.path('rar.tar') : sourceOf(['cpio', 'deb'].includes(format) ? 'tar' : format)

/** Integrity check of an archive by another program. */
const soundness: Record<string, (path: string) => { status: number | null }> = {
  '7z': path => judge('7z', 't', path),
  zip: path => judge('unzip', '-tq', path),
  contents: path => judge('unzip', '-tq', path),
  iso: path => judge('7z', 't', path),
  tar: path => judge('tar', '-tf', path),
  'tar-gz': path => judge('7z', 't', '-tgzip', path),
  'tar-bz2': path => judge('bzip2', '-t', path),
  'tar-xz': path => judge('xz', '-t', '--format=xz', path),
  'tar-zst': path => judge('zstd', '-t', path),
}

/** The comparable properties of an archive, without times of symbolic links, which tools set differently. */
function comparable(path: string, target = '', source = ''): Record<string, Pick<Judged, 'kind'>> {
  const contents = Object.entries(contentsOf(path)).map(
    ([name, { kind, mode, seconds, sha1, target: text }]) => {
      const isLink = kind === 'symlink'
      // ISO images have no dates before 1970 and no write permissions; cabinets have no permissions.
      const judged = {
        kind,
        sha1,
        text,
        mode: isLink || target === 'iso' || source === 'cab' ? null : mode,
        seconds: isLink ? null : seconds,
      }
      return [name, judged] as const
    },
  )
  return Object.fromEntries(contents)
}

/** In the short suite, each format is read and written at least once. */
const short = [
  ...['7z-to-tar', 'rar-to-zip', 'tar-to-7z', 'tar-bz2-to-contents', 'tar-gz-to-tar-zst', 'tar-xz-to-iso'],
  ...['tar-zst-to-tar-gz', 'zip-to-tar-xz', 'cab-to-zip', 'cpio-to-tar', 'deb-to-tar', 'zip-to-tar-bz2'],
]

/** Those of a single file are judged by themselves. */
const all = converters.filter(({ source }) => !/^(bz2|gz|xz|zst)$/.test(source))
const pairs = kinds(all, ({ source, target }) => short.includes(`${source}-to-${target}`))

const converted = new Map<string, Promise<Converted>>()

beforeAll(async () => {
  for (const { job, source } of pairs) {
    converted.set(job, convertFile(job, sourceOf(source), {}, { cores: 2 }))
    // Who asks for it learns why it failed.
    await converted.get(job)!.catch(() => {})
  }
  const ended = await Promise.allSettled(converted.values())
  const paths = ended.flatMap(each => (each.status === 'fulfilled' ? each.value.path : []))
  readContents([...paths, ...new Set(pairs.map(({ source }) => judgedOf(source)))])
}, 600_000)

test.each(pairs.map(({ job, source, target }) => [job, source, target]))(
  '%s keeps every member',
  async (job, source, target) => {
    const { path, warnings, progress, outputs } = await converted.get(job)!
    expect(soundness[target]?.(path).status).toBe(0)
    const judged = Object.entries(comparable(judgedOf(source), target, source))
    // Where files are unpacked, links would lead elsewhere.
    const kept = judged.filter(([, { kind }]) => target !== 'contents' || kind !== 'symlink')
    expect(comparable(path, target, source)).toEqual(Object.fromEntries(kept))
    if (target === 'contents') {
      expect(outputs).toEqual([{ path, files: kept.filter(([, { kind }]) => kind === 'file').length }])
      const left = warnings.filter(warning =>
        /symbolic links? of the archive (was|were) left out/.test(warning),
      )
      expect(left).toHaveLength(Number(kept.length < judged.length))
    }
    const outward = warnings.filter(warning => warning.includes('out of the archive'))
    expect(outward).toHaveLength(source === 'rar' || source === 'cab' ? 0 : 1)
    expect(progress.at(-1)!.fraction).toBeGreaterThan(0.3)
  },
)

/** A 7z whose number of PPMd is one that nothing has. */
const withUnknownMethod = (archive: Buffer): Buffer =>
  changed7z(archive, header => {
    header[header.indexOf('030401', 'hex') + 2] = 0x7f
    return undefined
  })

describe('features of single formats', () => {
  testFull('hard links are kept in TAR, and copied in ZIP', async () => {
    const { path: tar } = await convertFile('archive.rar-to-tar', sourceOf('rar'))
    expect(tool('bsdtar', '-tvf', tar)).toMatch(/second name.txt link to long.txt/)
    const { path: zip } = await convertFile('archive.tar-to-zip', sourceOf('tar'))
    expect(output('unzip', ['-p', zip, 'second name.txt'])).toEqual(long)
  })

  testFull(
    'files longer than the largest compression blocks, which are those of bzip2 with 900 kB',
    async () => {
      put('blocks.txt', textOf(65_000))
      pack('bsdtar', '-cjf', files.path('blocks.tar.bz2'), 'blocks.txt')
      const { path: tar } = await convertFile('archive.tar-bz2-to-tar', files.path('blocks.tar.bz2'))
      const { path: again } = await convertFile('archive.tar-to-tar-bz2', tar, {}, { cores: 2 })
      for (const path of [tar, again])
        expect(output('bsdtar', ['-xOf', path])).toEqual(readFileSync(join(tree, 'blocks.txt')))
    },
  )

  test.each(onlyFull(['tar', 'zip', 'iso']))(
    'equal files that RAR stores once are files of their own, in %s',
    async target => {
      const data = Buffer.from('the same '.repeat(20_000))
      const copy = { data, link: { kind: 'copy', target: 'first.txt' } } as const
      const path = files.write(
        rar5([
          { name: 'first.txt', data },
          { name: 'second.txt', seconds: 1_100_000_000, ...copy },
          { name: 'link', mode: 0o120777, link: { kind: 'symlink', target: 'first.txt' } },
          { name: 'third.txt', mode: 0o100600, ...copy },
        ]),
        'rar',
      )
      const found = comparable((await convertFile(`archive.rar-to-${target}`, path)).path, target)
      const sha1 = createHash('sha1').update(data).digest('hex')
      expect(found).toMatchObject({
        'first.txt': { kind: 'file', sha1, seconds: 1_000_000_000 },
        'second.txt': { kind: 'file', sha1, seconds: 1_100_000_000 },
        'third.txt': { kind: 'file', sha1, mode: target === 'iso' ? null : 0o600 },
      })
    },
  )

  test('compressed files are stored, and the rest becomes as small as with other programs', async () => {
    const { path } = await convertFile('archive.tar-to-zip', sourceOf('tar'), {}, { cores: 2 })
    const listed = tool('unzip', '-v', path)
    expect(listed).toMatch(/ 100000 +Stored +100000 .* noise\.bin/)
    const [, theirs] =
      / (\d+) .* long\.txt/.exec(tool('unzip', '-v', sourceOf('zip')).replace(/^.*Defl:N/gm, '')) ?? []
    const [, ours] = / (\d+) .* long\.txt/.exec(listed.replace(/^.*Defl:N/gm, '')) ?? []
    expect(Number(ours)).toBeLessThan(Number(theirs) * 1.02)
  })

  testFull('comments of the archive and of its files', async () => {
    const zip = files.path('comments.zip')
    const script = `import zipfile, sys
z = zipfile.ZipFile(sys.argv[1], 'w'); z.comment = 'über alles'.encode()
i = zipfile.ZipInfo('a.txt'); i.comment = b'of a file'; z.writestr(i, 'a'); z.close()`
    tool('/usr/bin/python3', '-c', script, zip)
    const { path: tar } = await convertFile('archive.zip-to-tar', zip)
    const { path: back } = await convertFile('archive.tar-to-zip', tar)
    const read =
      'import zipfile, sys; z = zipfile.ZipFile(sys.argv[1]); print(z.comment.decode(), z.infolist()[0].comment.decode())'
    expect(tool('/usr/bin/python3', '-c', read, back)).toBe('über alles of a file\n')
    const { warnings } = await convertFile('archive.zip-to-iso', zip)
    expect(warnings.join()).toContain('comment')
  })

  testFull('the comment of a RAR 4 is left out with a warning', async () => {
    const members = [{ name: 'a' }]
    const warningsFor = async (comment?: string) =>
      (await convertFile('archive.rar-to-zip', files.write(rar4(members, comment), 'rar'))).warnings
    expect(await warningsFor('über alles')).toEqual([expect.stringContaining('comment')])
    expect(await warningsFor()).toEqual([])
  })

  testFull('members compressed by other methods, and those with a password', async () => {
    const zip = files.path('methods.zip')
    pack('7z', 'a', '-tzip', '-mm=LZMA', zip, 'long.txt')
    pack('7z', 'a', '-tzip', '-mm=BZip2', zip, 'program')
    pack('7z', 'a', '-tzip', '-mm=PPMd', zip, 'a')
    const { path } = await convertFile('archive.zip-to-tar', zip)
    const hashes = (archive: string) =>
      Object.entries(contentsOf(archive)).map(([name, { sha1 }]) => [name, sha1])
    expect(hashes(path)).toEqual(hashes(zip))
    for (const method of ['AES256', 'ZipCrypto']) {
      const locked = files.path(`${method}.zip`)
      pack('7z', 'a', '-tzip', '-psesame', `-mem=${method}`, locked, 'plain.txt', 'long.txt')
      const { path: opened } = await convertFile('archive.zip-to-tar', locked, { password: 'sesame' })
      expect(contentsOf(opened)['long.txt']?.sha1).toBe(contentsOf(sourceOf('zip'))['long.txt']?.sha1)
    }
  })

  test('ZIP with a comment that is cut off', async () => {
    const zip = zipOf([
      { name: 'a', data: Buffer.from('a') },
      { name: 'b', data: long },
    ])
    zip.writeUInt16LE(9, zip.length - 2)
    const { path } = await convertFile('archive.zip-to-tar', files.write(zip, 'zip'))
    expect(output('tar', ['-xOf', path])).toEqual(Buffer.concat([Buffer.from('a'), long]))
  })

  testFull('bytes after a ZIP', async () => {
    const zip = zipOf([{ name: 'a', data: long }])
    for (const junk of [Buffer.alloc(90_000, 'long '), Buffer.from('short')]) {
      const path = files.write(Buffer.concat([zip, junk]), 'zip')
      expect(judge('bsdtar', '-tf', path)).toEqual({ status: 0, text: 'a\n' })
      const { path: tar } = await convertFile('archive.zip-to-tar', path)
      expect(output('tar', ['-xOf', tar])).toEqual(long)
    }
  })

  testFull('a ZIP whose comment contains the signature of the record before it', async () => {
    const zip = zipOf([{ name: 'a', data: long }])
    const comment = Buffer.from('PK\x05\x06 begins the record at the end of a directory')
    zip.writeUInt16LE(comment.length, zip.length - 2)
    const path = files.write(Buffer.concat([zip, comment]), 'zip')
    expect(judge('bsdtar', '-tf', path)).toEqual({ status: 0, text: 'a\n' })
    const { path: tar } = await convertFile('archive.zip-to-tar', path)
    expect(output('tar', ['-xOf', tar])).toEqual(long)
  })

  testFull('a 7z packed from a pipe, whose member has no name', async () => {
    const path = files.path('database of today')
    output('7z', ['a', '-si', path], { input: long })
    renameSync(`${path}.7z`, path)
    const { path: tar, warnings } = await convertFile('archive.7z-to-tar', path)
    expect(output('tar', ['-xOf', tar, 'database of today'])).toEqual(long)
    expect(warnings).toEqual([])
  })

  testFull('Zstandard members of ZIP', async () => {
    const data = [long, Buffer.from('short'), Buffer.alloc(0)]
    // A frame to be skipped: its signature, its size, its content.
    const skipped = Buffer.from('502a4d1804000000736b6970', 'hex')
    const members = data.map((content, index) => ({
      name: `${index}.txt`,
      data: content,
      packed: Buffer.concat([skipped, zstdCompressSync(content), zstdCompressSync('')]),
      method: 93,
    }))
    const { path } = await convertFile('archive.zip-to-tar', files.write(zipOf(members), 'zip'))
    for (const [index, content] of data.entries())
      expect(output('tar', ['-xOf', path, `${index}.txt`])).toEqual(content)
  })

  testFull('members with rare compression methods, and a clear message about an unknown one', async () => {
    const methods = ['zip Deflate64', 'zip xz', '7z Deflate64', '7z BZip2', '7z PPMd']
    for (const [format, method] of methods.map(words => words.split(' '))) {
      const packed = files.path(`${method}.${format}`)
      const how = format === 'zip' ? [`-mm=${method}`] : [`-m0=${method}`, '-mhc=off']
      pack('7z', 'a', `-t${format}`, ...how, packed, 'long.txt')
      const { path } = await convertFile(`archive.${format}-to-tar`, packed)
      expect(output('tar', ['-xOf', path])).toEqual(long)
    }
    const unknown = files.write(withUnknownMethod(readFileSync(files.path('PPMd.7z'))), '7z')
    await expect(convertFile('archive.7z-to-tar', unknown)).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
  })

  test.each(few(1, ['zip', 'iso']))(
    'times are omitted on request, so that the result is reproducible: %s',
    async target => {
      const write = (seconds: number) => {
        const path = files.path(`times-${seconds}.tar`)
        put('time.txt', 'a', seconds)
        pack('tar', '-cf', path, 'time.txt')
        return convertFile(`archive.tar-to-${target}`, path, { deterministic: true })
      }
      const [first, second] = [await write(1_000_000_000), await write(1_100_000_000)]
      const bytes = readFileSync(first.path)
      // The image is named after the file.
      if (target === 'iso') expect(readFileSync(second.path)).toHaveLength(bytes.length)
      else expect(readFileSync(second.path)).toEqual(bytes)
    },
  )

  test('more compression takes less room', async () => {
    const [store, fast, normal, small] = await Promise.all(
      ['store', 'fast', 'normal', 'small'].map(async compression => {
        const { path } = await convertFile('archive.tar-to-zip', sourceOf('tar'), { compression })
        expect(judge('unzip', '-tq', path).status).toBe(0)
        return readFileSync(path).length
      }),
    )
    expect(store).toBeGreaterThan(normal!)
    expect(fast).toBeGreaterThan(normal!)
    expect(small).toBeLessThan(1.01 * normal!)
  })
})
