import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { judge } from '../../../../../testing/fixtures/media.ts'
import { type ArchiveFormat, openListed, openStream } from '../open.ts'

const files = testFiles('tar-read')
const tree = files.path('tree')
const nested = `${'folder/'.repeat(20)}${'n'.repeat(150)}`

beforeAll(async () => {
  mkdirSync(`${tree}/${'folder/'.repeat(20)}`, { recursive: true })
  writeFileSync(`${tree}/${nested}`, 'deep')
  writeFileSync(`${tree}/plain`, 'plain')
  symlinkSync(`${'x/'.repeat(90)}end`, `${tree}/link`)
  await using holes = await open(`${tree}/holes`, 'w')
  await holes.write('data', 65_536)
  await holes.truncate(2 * 65_536)
})

const options = { password: undefined, cores: 1, stem: '', warn: () => {} }

async function read(path: string, format: ArchiveFormat = 'tar'): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const { members } = await openStream(path, format, options)
  for await (const { entry, data } of members()) {
    const hash = createHash('sha1')
    for await (const chunk of data ?? []) hash.update(chunk)
    found[entry.path] = entry.kind === 'file' ? hash.digest('hex') : (entry.target ?? entry.kind)
  }
  return found
}

const sha1 = async (name: string) =>
  createHash('sha1')
    .update(await readFile(`${tree}/${name}`))
    .digest('hex')

test.each(['gnu', 'oldgnu', 'pax'])('%s, with long names and long links', async format => {
  const path = files.path('a.tar')
  execFileSync('tar', [`--format=${format}`, '-cf', path, nested, 'plain', 'link', 'holes'], {
    cwd: tree,
  })
  const expected = {
    [nested]: await sha1(nested),
    plain: await sha1('plain'),
    link: `${'x/'.repeat(90)}end`,
    holes: await sha1('holes'),
  }
  expect(await read(path)).toEqual(expected)
  const listed = await openListed(path, 'tar', options)
  expect(listed.entries.map(entry => entry.path)).toEqual(Object.keys(expected))
})

test.each([
  ['gnu', []],
  ['pax', ['--sparse-version=0.1']],
  ['pax', ['--sparse-version=1.0']],
])('files with holes are refused in %s %s', async (format, version) => {
  const path = files.path('holes.tar')
  execFileSync('tar', ['-S', `--format=${format}`, ...version, '-cf', path, 'plain', 'holes'], { cwd: tree })
  await expect(read(path)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
    detail: expect.stringContaining('holes'),
  })
})

test.each(['v7', 'ustar'])('%s', async format => {
  const path = files.path('b.tar')
  execFileSync('tar', [`--format=${format}`, '-cf', path, 'plain'], { cwd: tree })
  expect(await read(path)).toEqual({ plain: await sha1('plain') })
})

testFull('global headers, binary numbers, and an end without zeros', async () => {
  const path = files.path('c.tar')
  const script = `
import tarfile, sys, io
with tarfile.open(sys.argv[1], 'w', format=tarfile.PAX_FORMAT, pax_headers={'comment': 'of all'}) as t:
    i = tarfile.TarInfo('a'); i.size = 1; t.addfile(i, io.BytesIO(b'a'))
g = tarfile.TarInfo('b'); g.mtime = -5; g.size = 0
with open(sys.argv[1], 'rb') as f: data = f.read().rstrip(b'\\0')
data += b'\\0' * (-len(data) % 512)
open(sys.argv[1], 'wb').write(data + g.tobuf(format=tarfile.GNU_FORMAT))`
  execFileSync('/usr/bin/python3', ['-c', script, path])
  const { members, comment } = await openStream(path, 'tar', options)
  const entries = []
  for await (const { entry } of members()) entries.push(entry)
  expect(entries.map(entry => entry.path)).toEqual(['a', 'b'])
  expect(entries[1]!.modified).toEqual(new Date(-5000))
  expect(comment()).toBe('of all')
})

test('a compressed archive is read up to its last checksum', async () => {
  const path = files.path('d.tar.gz')
  execFileSync('tar', ['-czf', path, 'plain'], { cwd: tree })
  const bytes = await readFile(path)
  bytes[bytes.length - 6]! ^= 1
  await writeFile(path, bytes)
  const { members } = await openStream(path, 'tar-gz', options)
  const all = async () => {
    for await (const _ of members());
  }
  await expect(all()).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

/** A header as old writers made it, with a right checksum. */
function header(name: string, { type = '0', size = 0, isUstar = true } = {}): Buffer {
  const block = Buffer.alloc(512)
  block.write(name)
  block.write(`0000644\0      \0       \0 ${size.toString(8).padStart(11, '0')}00000001750 `, 100)
  block.write(`        ${type}`, 148)
  if (isUstar) block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const blocks = (text: string) => Buffer.concat([Buffer.from(text), Buffer.alloc(-text.length & 511)])
const ZEROS = Buffer.alloc(512)
const empty = createHash('sha1').digest('hex')

test.each<[string, Buffer[], string[]]>([
  ['bytes after a single block of zeros', [header('a'), ZEROS, blocks('left in a buffer')], ['a']],
  ['an archive after a single block of zeros', [header('a'), ZEROS, header('b'), ZEROS, ZEROS], ['a', 'b']],
  [
    'folders of V7 with a size but no data',
    [header('a/', { type: '\0', size: 1, isUstar: false }), header('b/', { type: '\0', isUstar: false })],
    ['a', 'b'],
  ],
  [
    'lists of names after GNU folders',
    [header('a/', { type: 'D', size: 7 }), blocks('Yb\0Nc\0\0'), header('a/b')],
    ['a', 'a/b'],
  ],
  [
    'an empty path in an extended header',
    [header('x', { type: 'x', size: 8 }), blocks('8 path=\n'), header('a')],
    ['a'],
  ],
  [
    'an unreadable time in an extended header',
    [header('x', { type: 'x', size: 16 }), blocks('16 mtime=soon..\n'), header('a')],
    ['a'],
  ],
])('%s', async (_, parts, names) => {
  const path = files.write(Buffer.concat(parts), 'tar')
  expect(Object.keys(await read(path))).toEqual(names)
  const listed = judge('bsdtar', '-tf', path, '--options=read_concatenated_archives')
  const theirs = listed.text.split('\n').filter(line => line !== '' && !line.startsWith('bsdtar'))
  expect(theirs.map(name => name.replace(/\/$/, ''))).toEqual(names)
  const { entries } = await openListed(path, 'tar', options)
  expect(entries.every(({ modified }) => modified?.getTime() === 1_000_000)).toBe(true)
})

test('an extended header without a member is damage', async () => {
  const path = files.write(
    Buffer.concat([header('a'), header('x', { type: 'x', size: 16 }), blocks('16 mtime=1000..\n')]),
    'tar',
  )
  await expect(read(path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test('a folder with bytes of its own, as the first pax wrote, is damage', async () => {
  const path = files.write(Buffer.concat([header('a/', { type: '5', size: 7 }), blocks('content')]), 'tar')
  await expect(read(path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

testFull('bytes that are not gzip after a compressed archive', async () => {
  const tar = Buffer.concat([header('a'), ZEROS, ZEROS])
  for (const junk of ['junk', 'x'.repeat(300_000)]) {
    const path = files.write(Buffer.concat([gzipSync(tar), gzipSync('more'), Buffer.from(junk)]), 'tar.gz')
    expect(await read(path, 'tar-gz')).toEqual({ a: empty })
  }
  const cut = Buffer.concat([gzipSync(header('a', { size: 9 })), Buffer.from('no member')])
  await expect(read(files.write(cut, 'tar.gz'), 'tar-gz')).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})
