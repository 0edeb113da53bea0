import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { converters } from '../converters/index.ts'
import { Catalogue } from './catalogue.ts'
import { categories } from './converter.ts'
import { splitName } from './formats.ts'

const catalogue = new Catalogue(converters)
const listed = converters.filter(({ extension }) => !extension)

/** The contract's table, copied verbatim. */
const contract: Record<string, string> = {
  images:
    'avif→gif,jpg,png,webp; bmp→jpg,png; cr2→jpg,png; cr3→jpg,png; gif→avif,jpg,png,webp; heic→avif,jpg,png,webp; ico→png; jpg→avif,ico,png,webp; lottie→apng,gif,jpg,png,webm,webp; nef→jpg,png; pict→avif,bmp,jpg,pdf,png,tiff,webp; png→avif,ico,jpg,webp; psd→jpg,png; raw→avif,jpg,png,webp; svg→jpg,png; tgs→apng,gif,jpg,png,webp; tiff→jpg,pdf,png; webp→avif,gif,jpg,png',
  documents:
    'bank-statement→excel; doc→pdf,pdfa; docx→epub,md,pdf,pdfa; jpg→pdf; md→pdf; pdf→docx,jpg,md,pdfa,png; png→pdf; pptx→jpg,pdf,pdfa,png; rtf→pdf; word→jpg,pdf,pdfa,png; xlsx→pdf,pdfa',
  audio:
    'aac→mp3,opus; audio→epub,markdown,pdf,srt,txt,vtt,word; flac→mp3,opus,wav; m4a→mp3,opus; m4b→m4a,mp3,ogg,wav; mp3→aac,m4a,ogg,opus,wav; ogg→mp3,opus; opus→aac,flac,m4a,mp3,ogg,wav; paf→mp3,wav; wav→flac,mp3,opus; wma→mp3,wav',
  video: 'avi→mp3,wav; mkv→mp3,wav; mov→mp3,wav; mp4→mp3,wav; webm→mp3,wav',
  ebooks: 'azw3→epub; epub→azw3,docx,kepub,mobi; mobi→epub; pdf→epub',
  fonts: 'otf→ttf,woff,woff2; ttc→ttf; ttf→otf,woff,woff2; woff→otf,ttf,woff2; woff2→otf,ttf,woff',
  archives:
    '7z→iso,tar,zip; rar→iso,tar,zip; tar→iso,zip; tar-bz2→zip; tar-gz→zip; zip→iso,tar,tar-bz2,tar-gz',
}

const counts = { images: 62, documents: 26, audio: 38, video: 10, ebooks: 7, fonts: 13, archives: 14 }

test.each(Object.entries(contract))('%s has exactly the pairs of the contract', (category, table) => {
  const expected = table.split('; ').flatMap(row => {
    const [source = '', targets = ''] = row.split('→')
    const singular = categories[category as keyof typeof categories]
    return targets.split(',').map(target => `${singular}.${source}-to-${target}`)
  })
  const jobs = listed.filter(converter => converter.category === category).map(converter => converter.job)
  expect(jobs.toSorted()).toEqual(expected.toSorted())
  expect(jobs.length).toBe(counts[category as keyof typeof counts])
})

test('there are 170 converters and 171 edges', () => {
  expect(listed.length).toBe(170)
  expect(new Catalogue(listed).edges.length).toBe(171)
  expect(new Set(converters.map(converter => converter.job)).size).toBe(converters.length)
})

test('every format that is read has a likely target', () => {
  const sources = new Set(converters.flatMap(each => (each.sources.length > 1 ? [] : each.source)))
  const without = [...sources].filter(
    source => !catalogue.edgesFrom(source).some(edge => edge.converter.likely),
  )
  expect(without).toEqual([])
})

test('a video most likely becomes a video', () => {
  const likely = (source: 'mp4' | 'mov' | 'mkv' | 'webm') =>
    catalogue.edgesFrom(source).findLast(({ converter }) => converter.likely)?.converter.target
  for (const source of ['mp4', 'mov', 'mkv', 'webm'] as const)
    expect([source, likely(source)]).toEqual([source, 'mp4'])
})

test('no pair beyond the contract replaces one of the contract', () => {
  const contract = new Catalogue(listed)
  for (const { source, targetKey, job } of converters.filter(({ extension }) => extension)) {
    expect(contract.resolve(source, targetKey).kind).not.toBe('found')
    expect(catalogue.resolve(source, targetKey)).toMatchObject({ edge: { converter: { job } } })
  }
  const refused = catalogue.resolve('jpg', 'mp3')
  expect(refused.kind === 'unsupported_pair' && refused.supportedTargets).toEqual([
    // The contract's come first.
    ...['avif', 'ico', 'pdf', 'png', 'webp'],
    ...[
      'bmp',
      'docx',
      'exr',
      'gif',
      'heic',
      'html',
      'icns',
      'jp2',
      'jpg',
      'jxl',
      'md',
      'mp4',
      'pdf-ocr',
      'pdfa',
      'qoi',
      'svg',
      'tga',
      'tiff',
      'txt',
    ],
  ])
})

test('every work belongs to a table', () => {
  const folder = join(import.meta.dirname, '..', 'converters')
  const files = globSync('*/**/index.ts', { cwd: folder }).concat(globSync('*/**/work.ts', { cwd: folder }))
  const loaded = files.flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/import\('(.+?)'\)/g)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  )
  const works = files.filter(file => file.endsWith('work.ts'))
  expect(works.length).toBeGreaterThan(10)
  expect(works.filter(work => !loaded.includes(work))).toEqual([])
})

const jobOf = (source: string, target: string) => {
  const found = catalogue.resolve(source, target)
  return found.kind === 'found' ? `${found.edge.converter.job} (${found.edge.targetKey})` : found.kind
}

test.each([
  // A format's own key wins over a group's; the group is used only if it alone has the target.
  ['mp3', 'wav', 'audio.mp3-to-wav (wav)'],
  ['mp3', 'txt', 'audio.audio-to-txt (txt)'],
  ['mp4', 'srt', 'audio.audio-to-srt (srt)'],
  ['mp4', 'subtitles-srt', 'video.mp4-to-srt (subtitles-srt)'],
  ['ssa', 'srt', 'video.ass-to-srt (srt)'],
  ['docx', 'pdf', 'document.docx-to-pdf (pdf)'],
  ['docx', 'jpg', 'document.word-to-jpg (jpg)'],
  ['doc', 'png', 'document.word-to-png (png)'],
  ['word', 'pdf', 'document.word-to-pdf (pdf)'],
  ['cr2', 'jpg', 'image.cr2-to-jpg (jpg)'],
  ['cr2', 'webp', 'image.raw-to-webp (webp)'],
  ['arw', 'jpg', 'image.raw-to-jpg (jpg)'],
  ['dng', 'avif', 'image.raw-to-avif (avif)'],
  ['pdf', 'bank-statement-excel', 'document.bank-statement-to-excel (bank-statement-excel)'],
  ['bank-statement', 'excel', 'document.bank-statement-to-excel (bank-statement-excel)'],
  ['bank-statement', 'XLSX', 'document.bank-statement-to-excel (bank-statement-excel)'],
  ['pdf', 'xlsx', 'document.pdf-to-xlsx (xlsx)'],
  ['pdf', 'excel', 'document.pdf-to-xlsx (xlsx)'],
  ['pdf', 'pdf-ocr', 'document.pdf-to-pdfa (pdf-ocr)'],
  ['pdf', 'epub', 'ebook.pdf-to-epub (epub)'],
  // Other words for formats, in any case.
  ['JPEG', 'PNG', 'image.jpg-to-png (png)'],
  ['heif', 'jpeg', 'image.heic-to-jpg (jpg)'],
  ['tif', 'pdf', 'image.tiff-to-pdf (pdf)'],
  ['pct', 'tif', 'image.pict-to-tiff (tiff)'],
  ['tar.gz', 'zip', 'archive.tar-gz-to-zip (zip)'],
  ['tgz', 'zip', 'archive.tar-gz-to-zip (zip)'],
  ['zip', 'tar.bz2', 'archive.zip-to-tar-bz2 (tar-bz2)'],
  ['markdown', 'pdf', 'document.md-to-pdf (pdf)'],
  ['docx', 'markdown', 'document.docx-to-md (md)'],
  ['mp3', 'md', 'audio.audio-to-markdown (markdown)'],
  ['wav', 'word', 'audio.audio-to-word (word)'],
  // Nothing.
  ['jpg', 'mp3', 'unsupported_pair'],
  ['iso', 'zip', 'unsupported_source'],
  ['nonsense', 'zip', 'unsupported_source'],
])('%s to %s means %s', (source, target, job) => {
  expect(jobOf(source, target)).toBe(job)
})

test.each([
  ['photo.JPG', { stem: 'photo', suffix: 'jpg', format: 'jpg' }],
  ['backup.tar.gz', { stem: 'backup', suffix: 'tar.gz', format: 'tar-gz' }],
  ['a.b.tbz2', { stem: 'a.b', suffix: 'tbz2', format: 'tar-bz2' }],
  ['v1.2.pdf', { stem: 'v1.2', suffix: 'pdf', format: 'pdf' }],
  ['README', { stem: 'README', suffix: '', format: undefined }],
  ['notes.xyz', { stem: 'notes', suffix: 'xyz', format: undefined }],
  ['.png', { stem: '.png', suffix: 'png', format: 'png' }],
])('the name %s is split', (name, parts) => {
  expect(splitName(name)).toEqual(parts)
})
