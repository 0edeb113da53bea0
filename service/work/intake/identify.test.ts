import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeFull } from '../../../testing/describe-full.ts'
import { corpus, corpusFormats, hasCorpus } from '../../../testing/fixtures/media.ts'
import { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { isFormatKey, splitName } from '../../convert/catalogue/formats.ts'
import { HEAD_BYTES } from '../../shared/picture-signatures.ts'
import { identify, sourceOf } from './identify.ts'
import { detectFormats } from './signatures.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const ascii = (text: string) => Buffer.from(text, 'latin1')
const at = (offset: number, bytes: Buffer) => Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(32)])
const ftyp = (...brands: string[]) =>
  Buffer.concat([
    hex('00000020'),
    ascii(`ftyp${brands[0]}`),
    hex('00000000'),
    ascii(brands.slice(1).join('')),
    Buffer.alloc(16),
  ])
const zipOf = (name: string, content = '') =>
  Buffer.concat([hex('504b0304'), Buffer.alloc(26), ascii(name + content)])

/** A header without a magic number but with a correct checksum. */
function oldTar(): Buffer {
  const head = Buffer.alloc(512)
  head.write('notes.txt')
  head.write('   644 \0     0 \0     0 \0          0  0          0  0', 100)
  head.write('        ', 148)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

/** Starts of files as their formats' specifications define them, and the format that content alone gives. */
const heads: [string, Buffer, string][] = [
  ['png', hex('89504e47 0d0a1a0a'), 'png'],
  ['jpg', hex('ffd8ffe0 0010'), 'jpg'],
  ['gif', ascii('GIF89a'), 'gif'],
  ['webp', ascii('RIFF\0\0\0\0WEBPVP8 '), 'webp'],
  ['wav', ascii('RIFF\0\0\0\0WAVEfmt '), 'wav'],
  ['wav over 4 GB', ascii('RF64\xff\xff\xff\xffWAVEds64'), 'wav'],
  ['avi', ascii('RIFF\0\0\0\0AVI LIST'), 'avi'],
  ['avif', ftyp('avif', 'mif1', 'miaf'), 'avif'],
  ['animated avif', ftyp('avis', 'msf1', 'miaf'), 'avif'],
  ['avif under a general brand', ftyp('mif1', 'avif'), 'avif'],
  ['heic', ftyp('heic', 'mif1'), 'heic'],
  ['heic under a general brand', ftyp('mif1', 'heic'), 'heic'],
  ['avif in short boxes', Buffer.concat([hex('00000010'), ascii('ftypmif3avif')]), 'avif'],
  ['heic in short boxes', Buffer.concat([hex('00000010'), ascii('ftypmif3heic')]), 'heic'],
  ['cr3', ftyp('crx ', 'isom'), 'cr3'],
  ['mov', ftyp('qt  '), 'mov'],
  ['mp4', ftyp('isom', 'mp41'), 'mp4'],
  ['m4a', ftyp('M4A ', 'isom'), 'm4a'],
  ['m4b', ftyp('M4B ', 'isom'), 'm4b'],
  ['psd', ascii('8BPS\0\x01'), 'psd'],
  ['tiff', hex('49492a00 08000000'), 'tiff'],
  ['big tiff', hex('4d4d002b 00080000'), 'tiff'],
  ['cr2', hex('49492a00 10000000 43520200'), 'cr2'],
  ['raf', ascii('FUJIFILMCCD-RAW '), 'raw'],
  ['bmp', Buffer.concat([ascii('BM'), Buffer.alloc(40)]), 'bmp'],
  ['ico', Buffer.concat([hex('00000100 0100'), Buffer.alloc(40)]), 'ico'],
  ['pdf', ascii('%PDF-1.7\n'), 'pdf'],
  ['pdf after other bytes', at(200, ascii('%PDF-1.4')), 'pdf'],
  ['rtf', ascii('{\\rtf1\\ansi'), 'rtf'],
  ['doc', hex('d0cf11e0 a1b11ae1'), 'doc'],
  ['epub', zipOf('mimetype', 'application/epub+zip'), 'epub'],
  ['docx', zipOf('word/document.xml'), 'docx'],
  ['xlsx', zipOf('xl/workbook.xml'), 'xlsx'],
  ['pptx', zipOf('ppt/presentation.xml'), 'pptx'],
  ['zip', zipOf('readme.txt'), 'zip'],
  ['7z', hex('377abcaf271c 0004'), '7z'],
  ['rar', ascii('Rar!\x1a\x07\x01\0'), 'rar'],
  ['tar', at(257, ascii('ustar\x0000')), 'tar'],
  ['tar of Unix V7', oldTar(), 'tar'],
  ['zip that could be split', Buffer.concat([hex('504b0708'), zipOf('readme.txt')]), 'zip'],
  ['tar.gz', hex('1f8b0800'), 'tar-gz'],
  ['tar.bz2', ascii('BZh91AY'), 'tar-bz2'],
  ['flac', ascii('fLaC\0\0\0\x22'), 'flac'],
  ['opus', Buffer.concat([ascii('OggS'), Buffer.alloc(24), ascii('OpusHead')]), 'opus'],
  ['ogg', Buffer.concat([ascii('OggS'), Buffer.alloc(24), ascii('\x01vorbis')]), 'ogg'],
  ['webm', Buffer.concat([hex('1a45dfa3'), Buffer.alloc(20), ascii('webm')]), 'webm'],
  ['mkv', Buffer.concat([hex('1a45dfa3'), Buffer.alloc(20), ascii('matroska')]), 'mkv'],
  ['wma', hex('3026b275 8e66cf11 a6d900aa'), 'wma'],
  ['mpg', hex('000001ba44000400040100 0003f8 000001bb'), 'mpg'],
  ['subtitles of a dvd', hex('000001ba44000400040100 0003f8 000001bd 07ec 818005 2100010001 20'), 'vobsub'],
  ['sound of a dvd', hex('000001ba44000400040100 0003f8 000001bd 07ec 818005 2100010001 80'), 'mpg'],
  ['paf', ascii(' paf\0\0\0\0'), 'paf'],
  ['mp3 with tags', ascii('ID3\x04\0\0'), 'mp3'],
  ['bare mp3', hex('fffb9064 00'), 'mp3'],
  ['aac', hex('fff15080 00bffc 00'), 'aac'],
  ['mobi', at(60, ascii('BOOKMOBI')), 'mobi'],
  ['woff', ascii('wOFF\0\x01'), 'woff'],
  ['woff2', ascii('wOF2\0\x01'), 'woff2'],
  ['ttc', ascii('ttcf\0\x01'), 'ttc'],
  ['otf', ascii('OTTO\0\x0b'), 'otf'],
  ['ttf', hex('00010000 000f'), 'ttf'],
  ['svg', ascii('<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg">'), 'svg'],
  ['lottie', ascii('{"v":"5.5.7","fr":30,"ip":0,"op":60,"layers":[]}'), 'lottie'],
  ['pict', at(522, hex('0011 02ff 0c00')), 'pict'],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-identify-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function of(name: string, content: Buffer) {
  const path = join(folder, 'file')
  await writeFile(path, content)
  return identify(path, name)
}

test.each(heads)('%s is recognised by its content', (_what, head, format) => {
  expect(detectFormats(head)[0]).toBe(format)
})

test.each([
  // Where a container can hold several formats, the name decides.
  ['song.m4a', ftyp('isom'), 'm4a'],
  ['book.m4b', ftyp('M4A '), 'm4b'],
  ['photo.nef', hex('4d4d002a 00000008'), 'nef'],
  ['photo.dng', hex('49492a00 08000000'), 'raw'],
  ['report.docx', zipOf('[Content_Types].xml'), 'docx'],
  ['sticker.tgs', hex('1f8b0800'), 'tgs'],
  ['drawing.svgz', hex('1f8b0800'), 'svg'],
  ['drawing.svg', hex('1f8b0800'), 'svg'],
  ['film.mkv', Buffer.concat([hex('1a45dfa3'), ascii('webm')]), 'mkv'],
  ['song.opus', Buffer.concat([ascii('OggS'), Buffer.alloc(24), ascii('\x01vorbis')]), 'opus'],
  ['film.ogg', Buffer.concat([ascii('OggS'), Buffer.alloc(24), ascii('\x80theora')]), 'ogv'],
  ['film.sub', ascii('{1}{1}25.000\r\n{25}{50}Hello'), 'microdvd'],
  ['film.sub', hex('000001ba44000400040100 0003f8 000001bd 07ec 818005 2100010001 3f'), 'vobsub'],
  // The content overrides a name that contradicts it.
  ['photo.jpg', hex('89504e47 0d0a1a0a'), 'png'],
  ['song.mp3', ascii('RIFF\0\0\0\0WAVEfmt '), 'wav'],
  ['letter.pdf', zipOf('word/document.xml'), 'docx'],
  ['unknown.xyz', ascii('GIF89a'), 'gif'],
  ['noextension', ascii('%PDF-1.7'), 'pdf'],
  // Where the content gives no hint, the name decides.
  ['notes.md', ascii('# Notes'), 'md'],
  ['photo.jpg', ascii('plain text'), 'jpg'],
  ['archive.tar.gz', ascii('damaged'), 'tar-gz'],
  ['notes.xyz', ascii('plain text'), undefined],
  ['data.json', ascii('{"v": 1, "items": []}'), 'json'],
  ['animation.json', ascii('{"v":"5.5.7","fr":30,"layers":[]}'), 'lottie'],
  ['page.html', ascii('<html><svg></svg></html>'), 'html'],
])('%s with its content is %#', async (name, content, format) => {
  expect(await of(name, content)).toBe(format)
})

test('who gives the index of subtitles learns which file has them', async () => {
  const content = ascii('# VobSub index file, v7 (do not modify this line!)\n')
  const file = { name: 'film.idx', format: await of('film.idx', content) }
  expect(() => sourceOf(new Catalogue([]), file, undefined)).toThrow(/SUB file of the same name/)
})

test('empty content causes no error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: HEAD_BYTES }), bytes => {
      expect(Array.isArray(detectFormats(Buffer.from(bytes)))).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

/** What a sample may be: what its folder is called, or what its own suffix says; animations of Lottie are JSON. */
const formatsOf = (file: string, folder: string) => [
  folder,
  splitName(file).format,
  ...(folder === 'json' ? ['lottie'] : []),
]

describeFull('real files', hasCorpus, () => {
  test.each(corpusFormats.filter(isFormatKey))('%s', async name => {
    for (const path of corpus(name)) {
      const file = basename(path)
      expect(formatsOf(file, name), file).toContain(await identify(path, file))
    }
  })
})
