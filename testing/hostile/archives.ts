/** Archives that unpack to enormous sizes, lead outside and lie about their numbers. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { type HostileMember, pax, tarMember, tarOf, tarOfMembers, zipOf } from '../hostile-archives.ts'
import { rar5 } from '../rar.ts'
import { type Attack, attacksOn, type Bait, canary, heavy } from './attack.ts'
import { inflating, inflatingGzip } from './bombs.ts'

/** Members that lead outside, in every known way. */
const wayward = (bait: Bait): HostileMember[] => {
  const data = Buffer.from('overwritten')
  return [
    { name: `../../../../../../..${canary(bait, 'txt')}`, data },
    { name: canary(bait, 'txt'), data },
    { name: `..\\..\\..\\..\\..${canary(bait, 'txt')}`, data },
    { name: 'C:\\Windows\\evil.txt', data },
    { name: '\\\\server\\share\\evil.txt', data },
    { name: 'link', kind: 'symlink', target: canary(bait, 'txt') },
    { name: 'link', data },
    { name: 'folder', kind: 'symlink', target: bait.folder },
    { name: 'folder/canary.txt', data },
    { name: 'up', kind: 'symlink', target: '../../../../..' },
    { name: `up${canary(bait, 'txt')}`, data },
  ]
}
const hard = (bait: Bait): HostileMember[] => [
  { name: 'hard', kind: 'hardlink', target: canary(bait, 'txt') },
  { name: 'hard', data: Buffer.from('overwritten') },
  { name: 'tty', kind: 'device' },
]
const odd: HostileMember[] = [
  'CON',
  'nul.txt',
  'COM1',
  'a\u202etxt.exe',
  'bell\u0007\u001b[2J',
  'x'.repeat(255),
  'x'.repeat(4000),
  'a.',
  'a ',
  '%2e%2e/x',
  'a:stream',
  '\u0000x',
  '..',
  '.',
  '',
].map(name => ({ name, data: Buffer.from('x') }))
const deep: HostileMember[] = [{ name: `${'a/'.repeat(5000)}x`, data: Buffer.from('x') }]

const packers: Record<string, (members: readonly HostileMember[]) => Buffer> = {
  zip: zipOf,
  tar: tarOfMembers,
  'tar-gz': members => gzipSync(tarOfMembers(members)),
  'tar-bz2': members => execFileSync('bzip2', { input: tarOfMembers(members) }),
  rar: members =>
    rar5(
      members.map(({ name, data, kind, target }) => ({
        name: String(name),
        ...(data && { data }),
        ...(kind === 'symlink' && { mode: 0o120777 }),
        ...((kind === 'symlink' || kind === 'hardlink') && { link: { kind, target: target ?? '' } }),
      })),
    ),
}
const suffixes: Record<string, string> = { 'tar-gz': 'tar.gz', 'tar-bz2': 'tar.bz2' }

const packed = Object.entries(packers).flatMap(([source, pack]) =>
  attacksOn(
    source,
    {
      'members and links that lead out': bait => pack(wayward(bait)),
      'hard links to outside, and a device': bait => pack(hard(bait)),
      'names that no system has': () => pack(odd),
      'five thousand folders in one another': () => pack(deep),
    },
    { ...(suffixes[source] ? { suffix: suffixes[source] } : {}) },
  ),
)

/** 450 MB of zeros in a few hundred bytes; bzip2 streams may be concatenated. */
const bzip2Zeros = () => {
  const once = execFileSync('bzip2', { input: Buffer.alloc(45e6) })
  return Buffer.concat(Array.from({ length: 200 }, () => once))
}
/** Members that share the same compressed data, stored only once. */
const overlapping = (count: number) => {
  const data = Buffer.alloc(50e6)
  const { length } = deflateRawSync(data)
  return zipOf([
    { name: 'a', data },
    ...Array.from({ length: count }, (_, n) => ({
      name: `b${n}`,
      data: Buffer.alloc(0),
      method: 8,
      offset: 0,
      size: data.length,
      packedSize: length,
      crc: 0,
    })),
  ])
}

const bombs: Attack[] = [
  ...attacksOn('zip', {
    'one member of 2 GB in a few megabytes': () =>
      zipOf([
        { name: 'a', ...inflating(2000, '\0') },
        { name: 'b', data: Buffer.from('b') },
      ]),
    'members that share their data': () => overlapping(2000),
    'a million members of nothing': () =>
      zipOf(
        Array.from({ length: 60_000 }, (_, n) => ({ name: `${n}`, data: Buffer.alloc(0) })),
        { count: 65_535 },
      ),
    'archives in archives, ten deep': () => {
      let inner = zipOf([{ name: 'a', data: Buffer.alloc(10e6) }])
      for (let n = 0; n < 10; n++)
        inner = zipOf(Array.from({ length: 4 }, (_, m) => ({ name: `${n}-${m}.zip`, data: inner })))
      return inner
    },
    'a directory that is the archive': () =>
      zipOf([{ name: 'a', data: Buffer.from('a') }], { offset: 0, count: 65_535 }),
  }),
  ...attacksOn('tar', {
    'a member of eight exabytes': () => tarOf(tarMember({ name: 'a', sizeField: '777777777777' })),
    'a member larger than numbers': () =>
      tarOf(tarMember({ name: 'a', sizeField: Buffer.from('80ffffffffffffffffffffff', 'hex') })),
    'an extended header of contradictions': () =>
      tarOf(
        pax({
          size: '99999999999999999999',
          path: '../'.repeat(1000),
          'GNU.sparse.realsize': '9e18',
          mtime: '1e400',
        }),
        tarMember({ name: 'a', data: Buffer.from('a') }),
      ),
    'a hole of eight exabytes': () =>
      tarOf(
        pax({
          'GNU.sparse.major': '1',
          'GNU.sparse.minor': '0',
          'GNU.sparse.name': 'a',
          'GNU.sparse.realsize': '9223372036854775807',
        }),
        tarMember({ name: 'a', data: Buffer.from('1\n9223372036854775806\n1\n'.padEnd(1024, '\0')) }),
      ),
  }),
  ...attacksOn('tar-gz', { 'two gigabytes of nothing': () => inflatingGzip(2000) }, { suffix: 'tar.gz' }),
  ...attacksOn('tar-bz2', { 'nine gigabytes of nothing': bzip2Zeros }, { suffix: 'tar.bz2' }),
  ...attacksOn('7z', {
    'a header beyond the end of the file': () =>
      Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), Buffer.alloc(4), Buffer.alloc(20, 0x7f)]),
    'a header of nothing': () => Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), Buffer.alloc(256)]),
  }),
]

/** Archives made by others, if available. */
const corpus = join(import.meta.dirname, '../../../shared/corpus/hostile')
const found: Attack[] = (existsSync(corpus) ? readdirSync(corpus) : []).flatMap(name => {
  const source = /\.(zip|tar)$/.exec(name)?.[1]
  return source
    ? [{ name: `${name} of the corpus`, source, bytes: () => readFileSync(join(corpus, name)) }]
    : []
})

export const archiveAttacks: Attack[] = heavy(
  [...packed, ...bombs, ...found],
  'one member of 2 GB in a few megabytes',
  'members that share their data',
  'two gigabytes of nothing',
  'nine gigabytes of nothing',
  'a million members of nothing',
)
