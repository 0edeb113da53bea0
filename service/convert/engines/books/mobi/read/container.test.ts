import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { describeFull } from '../../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { corpus, hasCorpus } from '../../../../../../testing/fixtures/media.ts'
import { type MobiParts, mobiFile, palmDatabase } from '../../../../../../testing/mobi.ts'
import { isDamage } from '../../../common/damage.ts'
import { openContainer } from './container.ts'

const files = testFiles('mobi-container')

/** The text of a book as libmobi reads it. */
function rawText(path: string): Buffer {
  execFileSync('mobitool', ['-d', basename(path)], { cwd: files.folder, stdio: 'ignore' })
  return readFileSync(path.replace(/\.\w+$/, '.rawml'))
}

const paragraph =
  '<p>In a chapter which speaks to the sea and the ships, everything is moving – «größer» 海.</p>\n'
const text = Buffer.from(`<html><head></head><body>${paragraph.repeat(200)}</body></html>`)

const kinds: [string, Omit<MobiParts, 'text'>][] = [
  ['uncompressed', { compression: 'none' }],
  ['PalmDOC', { compression: 'palmdoc' }],
  ['HUFF/CDIC', { compression: 'huffcdic' }],
  ['PalmDOC with trailing entries', { compression: 'palmdoc', trailing: true }],
  ['HUFF/CDIC with trailing entries', { compression: 'huffcdic', trailing: true }],
  ['without a MOBI header', { version: 0 }],
  ['of version 4', { version: 4 }],
]

test.each(kinds)('text that is %s is read as written, and as libmobi reads it', (_, parts) => {
  const file = mobiFile({ ...parts, text })
  const read = openContainer(file).text
  expect(read.equals(text)).toBe(true)
  expect(rawText(files.write(file, 'mobi')).equals(read)).toBe(true)
})

test('title, encoding and metadata are read', () => {
  const metadata = [
    [100, 'Ann Author'],
    [100, 'Bob Writer'],
    [503, 'Ein größerer Titel'],
  ] as const
  const { header, name } = openContainer(mobiFile({ text, title: 'Titel', metadata }))
  expect(header).toMatchObject({ title: 'Titel', version: 6, utf8: true })
  expect(name).toBe('Titel')
  expect(header.exth.get(100)?.map(String)).toEqual(['Ann Author', 'Bob Writer'])
  expect(String(header.exth.get(503)?.[0])).toBe('Ein größerer Titel')
})

test.each([
  ['protected by DRM', mobiFile({ text, encryption: 2 }), 'jobs.encrypted_input'],
  ['KFX with DRM', Buffer.from('\xeaDRMION\xee and the rest', 'latin1'), 'jobs.encrypted_input'],
  ['KFX', Buffer.from('CONT\x02\0 and the rest', 'latin1'), 'jobs.unsupported_input'],
  ['Topaz', Buffer.from('TPZ0 and the rest'), 'jobs.unsupported_input'],
  ['a Print Replica', mobiFile({ text: Buffer.from('%MOP and a PDF') }), 'jobs.unsupported_input'],
  ['another database', palmDatabase('DATAmemo', 'memo', [Buffer.alloc(99)]), 'jobs.corrupt_input'],
])('a file that is %s is refused', (_, file, code) => {
  expect(() => openContainer(file)).toThrowError(expect.objectContaining({ code }))
})

test('self-referencing phrases are rejected', () => {
  const file = mobiFile({ text, compression: 'huffcdic' })
  const dictionary = file.indexOf('CDIC')
  // The first phrase becomes eight codes that refer to itself.
  const phrase = dictionary + 16 + file.readUInt16BE(dictionary + 16 + 2 * 262)
  file.fill(0, phrase + 2, phrase + 2 + file.readUInt16BE(phrase))
  expect(() => openContainer(file)).toThrow(expect.toSatisfy(isDamage))
})

describeFull('real books', hasCorpus, () => {
  const books = [...corpus('mobi'), ...corpus('azw3')].filter(path => !path.includes('drm'))
  test.each(books)('%s has the text that libmobi reads', path => {
    const { text: read, header } = openContainer(readFileSync(path))
    const copy = files.path(`${header.version}-${basename(path)}`)
    copyFileSync(path, copy)
    expect(rawText(copy).equals(read)).toBe(true)
  })
})
