import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fullBook } from '../../../testing/book-kinds.ts'
import { testFiles } from '../../../testing/files.ts'
import { picture } from '../../../testing/fixtures/books.ts'
import { converterOf } from '../../../testing/fixtures/convert.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { heicOf } from '../../../testing/fixtures/heif.ts'
import { docx } from '../../../testing/fixtures/office.ts'
import { makeDng } from '../../../testing/fixtures/raw.ts'
import { movingSquare } from '../../../testing/lottie.ts'
import { makePdf } from '../../../testing/pdf.ts'
import { json, sharedService } from '../../../testing/service.ts'
import { smallFont } from '../../../testing/small-font.ts'
import { modelFolder, say, testModel } from '../../../testing/speech.ts'
import { type EngineName, engines } from '../../convert/catalogue/engines.ts'
import { writeSfnt } from '../../convert/engines/fonts/sfnt/sfnt.ts'
import { landlockVersion } from './landlock.ts'
import { loadLibc } from './libc.ts'

/** Every engine, and every library and program that opens files itself, works while it is confined. */

const isLinux = process.platform === 'linux'
const files = testFiles('confined')
const service = sharedService({ models: modelFolder() })

interface Fixture {
  bytes(): Uint8Array | Promise<Uint8Array>
  options?: object
  /** What the result contains, after unpacking if it is a ZIP. */
  has: string
  /** Tried in the ordinary run as well: one of each kind, a library in JavaScript, a native one, a program, and WebAssembly. */
  isQuick?: true
}

const raster = { width: 64, height: 48, data: new Uint8Array(64 * 48 * 3).fill(120) }
const gray = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 4).fill(200) }
const sampleFont = join(import.meta.dirname, '../../../resources/fonts/DejaVuSans.ttf')
const made = (name: string, make: (path: string) => unknown) => async () => {
  await make(files.path(name))
  return readFileSync(files.path(name))
}
const text = (path: string) => makePdf(path, document => void document.fontSize(40).text('A page of text'))
const scan = async (path: string) => {
  const page = files.path('scan.png')
  const words = ['-size', '900x200', '-pointsize', '60', 'label:Recognise these words', page]
  execFileSync('/usr/bin/convert', ['-font', sampleFont, ...words])
  return makePdf(path, document => void document.image(page, 0, 0, { width: 500 }), { size: [500, 120] })
}
const tone = (path: string) =>
  execFileSync('ffmpeg', ['-y', '-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=0.2', path])
const video = (path: string) =>
  execFileSync('ffmpeg', [
    '-y',
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=64x48:rate=10:duration=0.3',
    path,
  ])
const pict = (path: string) => execFileSync('/usr/bin/convert', ['-size', '40x30', 'xc:red', path])
const zip = (path: string) => execFileSync('zip', ['-jq', path, join(import.meta.dirname, 'files.test.ts')])
const sevenZip = (path: string) => execFileSync('7z', ['a', path, join(import.meta.dirname, 'files.test.ts')])
const ocr = { ocr: { enabled: true } }

/** By job type. */
const fixtures: Record<string, Fixture> = {
  'image.png-to-webp': { bytes: () => picture(80, 60, 'png'), has: 'WEBP', isQuick: true },
  'image.png-to-avif': { bytes: () => picture(80, 60, 'png'), has: 'ftypavif' },
  'image.heic-to-jpg': { bytes: () => heicOf(gray), has: '\xff\xd8' },
  'image.pict-to-png': { bytes: made('a.pict', pict), has: 'PNG' },
  'image.svg-to-png': {
    bytes: () =>
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><text y="20">Text</text></svg>',
      ),
    has: 'PNG',
  },
  'image.lottie-to-gif': { bytes: () => Buffer.from(JSON.stringify(movingSquare({ op: 3 }))), has: 'GIF' },
  'image.raw-to-jpg': {
    bytes: async () => makeDng(raster, { preview: await picture(64, 48), orientation: 1 }),
    has: '\xff\xd8',
  },
  'audio.wav-to-mp3': { bytes: made('tone.wav', tone), has: '', isQuick: true },
  'audio.audio-to-txt': {
    bytes: made('said.wav', path => say(path)),
    options: { transcription: { language: 'en' } },
    has: '',
  },
  'document.docx-to-pdf': { bytes: () => docx({ paragraphs: ['Heading', 'Text'] }), has: '%PDF' },
  'document.docx-to-md': { bytes: () => docx({ paragraphs: ['Heading', 'Text'] }), has: '# Heading' },
  'document.csv-to-json': { bytes: () => Buffer.from('a,b\n1,2\n'), has: '"b": 2', isQuick: true },
  'document.md-to-pdf': { bytes: () => Buffer.from('# Heading\n\nText\n'), has: '%PDF' },
  'document.pdf-to-png': { bytes: made('text.pdf', text), has: 'PNG' },
  'document.pdf-to-md': { bytes: made('scan.pdf', scan), options: ocr, has: 'words' },
  'document.pdf-to-pdf': { bytes: made('small.pdf', text), options: { compression: 'small' }, has: '%PDF' },
  'video.mkv-to-webm': {
    bytes: made('video.mkv', video),
    options: { video: { targetSize: 10 } },
    has: 'webm',
  },
  // Files that do not become smaller are copied.
  'video.mp4-to-mp4': {
    bytes: made('video.mp4', video),
    options: { video: { targetSize: 10 } },
    has: 'ftyp',
  },
  'audio.mp3-to-mp3': { bytes: made('tone.mp3', tone), has: 'Lavf' },
  'ebook.epub-to-azw3': { bytes: fullBook, has: 'BOOKMOBI' },
  'font.ttf-to-woff2': { bytes: () => writeSfnt(smallFont()), has: 'wOF2' },
  'archive.zip-to-tar': { bytes: made('a.zip', zip), has: 'files.test.ts' },
  'archive.7z-to-zip': { bytes: made('a.7z', sevenZip), has: 'files.test.ts', isQuick: true },
}

/** File suffixes for format groups. */
const suffixes: Record<string, string> = { audio: 'wav', raw: 'dng' }

/** Nothing can be transcribed without a model. */
const jobs = Object.keys(fixtures).filter(
  job => (testModel || converterOf(job).engine !== 'speech') && (isFull || fixtures[job]!.isQuick),
)

test('there is a fixture for every engine', () => {
  const covered = new Set<EngineName>(Object.keys(fixtures).map(job => converterOf(job).engine))
  expect(covered).toEqual(new Set(Object.keys(engines)))
})

test.each(jobs)('%s', async job => {
  const { source, target } = converterOf(job)
  const { bytes, options = {}, has } = fixtures[job]!
  const suffix = suffixes[source] ?? source
  const { id } = await json<{ id: string }>(
    service().submit(`a.${suffix}`, new Uint8Array(await bytes()), target, {
      options: JSON.stringify(options),
    }),
  )
  const status = await service().finished(id)
  expect(status).toMatchObject({ status: 'Succeeded' })
  const result = Buffer.from(await (await service().call(`/convert/job/${id}/download`)).arrayBuffer())
  const isArchive = result.toString('latin1', 0, 2) === 'PK'
  const contents = isArchive
    ? Object.entries(unzipSync(result)).flatMap(([name, bytes]) => [Buffer.from(name), bytes])
    : [result]
  expect(Buffer.concat(contents).toString('latin1')).toContain(has)
  const confined = { files: landlockVersion(loadLibc()) > 0, systemCalls: true, network: true }
  if (isLinux) expect((await json(service().call('/health'))).sandbox).toEqual(confined)
})
