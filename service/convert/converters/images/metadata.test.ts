import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { gradient } from '../../../../testing/fixtures/pixels.ts'
import { makePicture, writePnm } from '../../../../testing/pictures.ts'
import { u32 } from '../../engines/common/iso-boxes.ts'
import { chunk, readChunks, SIGNATURE } from '../../engines/pictures/formats/png.ts'
import { withBlocks } from '../../engines/pictures/metadata/insert.ts'
import { factsOf } from '../../engines/pictures/sharp/facts.ts'

const files = testFiles('metadata')
const photo = files.path('photo.jpg')

/** What exiftool finds in a file, in the groups that hold it. */
function said(path: string): Record<string, string> {
  const [found] = JSON.parse(tool('exiftool', '-j', '-n', '-a', '-G1:0', '-e', path)) as [object]
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]))
}

/** Words that only a place in the test's photo contains. */
const isPlace = ([name, value]: [string, string]) => /GPS|Paris|France/.test(name + value)

beforeAll(() => {
  writePnm(gradient(96, 64), files.path('a.ppm'))
  makePicture(files.path('a.ppm'), photo)
  tool(
    'exiftool',
    ...['-q', '-overwrite_original', '-GPSLatitude=48.8584', '-GPSLatitudeRef=N', '-GPSLongitude=2.2945'],
    ...[
      '-GPSLongitudeRef=E',
      '-Make=Apple',
      '-Model=iPhone 12',
      '-EXIF:DateTimeOriginal=2021:05:03 10:00:00',
    ],
    ...['-XMP:City=Paris', '-XMP-exif:GPSLatitude=48.8584', '-IPTC:City=Paris', '-IPTC:By-line=Old'],
    ...['-XMP:LocationCreatedCity=Paris', '-XMP:LocationCreatedCountryName=France', '-XMP-dc:Title=Old'],
    ...['-XMP-dc:Creator=Old', '-EXIF:Artist=Old', '-XMP:Rating=4', '-EXIF:SubSecTimeOriginal=42', photo],
  )
})

testFull('EXIF behind the picture data of a PNG, where ImageMagick 6 writes it', async () => {
  const first = files.path('first.png')
  makePicture(files.path('a.ppm'), first)
  tool('exiftool', '-q', '-overwrite_original', '-n', '-EXIF:Orientation=6', '-EXIF:Model=iPhone 12', first)
  const isExif = ({ type }: { type: string }) => type === 'eXIf'
  const chunks = [...readChunks(readFileSync(first))]
  const order = [...chunks.filter(each => !isExif(each)), ...chunks.filter(isExif)]
  const behind = [...order.filter(({ type }) => type !== 'IEND'), ...chunks.slice(-1)]
  const path = files.write(Buffer.concat([SIGNATURE, ...behind.map(({ whole }) => whole)]), 'png')
  expect(await factsOf(path)).toMatchObject({ width: 64, height: 96, camera: 'iPhone 12' })
  const kept = await convertFile('image.png-to-jpg', path, { metadata: { keep: 'all' } })
  expect(said(kept.path)).toMatchObject({ 'IFD0:EXIF:Model': 'iPhone 12' })
  for (const shown of [kept, await convertFile('image.png-to-png', path)])
    expect(tool('identify', '-format', '%wx%h', shown.path)).toBe('64x96')
  const empty = chunks.map(({ type, whole }) => (type === 'eXIf' ? chunk('eXIf') : whole))
  const plain = await convertFile(
    'image.png-to-jpg',
    files.write(Buffer.concat([SIGNATURE, ...empty]), 'png'),
  )
  expect(tool('identify', '-format', '%wx%h', plain.path)).toBe('96x64')
})

testFull('EXIF as a text in a PNG, as programs with exiv2 write it, also loses its place', async () => {
  const exif = (await sharp(photo).metadata()).exif!
  const text = `Raw profile type exif\0\nexif\n ${exif.length}\n${exif.toString('hex').replaceAll(/.{72}/g, '$&\n')}\n`
  const chunks = [...readChunks(await sharp(photo).png().toBuffer())]
  const parts = chunks.flatMap(({ type, whole }) =>
    type === 'IHDR' ? [whole, chunk('tEXt', Buffer.from(text, 'latin1'))] : [whole],
  )
  const path = files.write(Buffer.concat([SIGNATURE, ...parts]), 'png')
  expect(Object.entries(said(path)).some(isPlace)).toBe(true)
  for (const target of ['jpg', 'png']) {
    const kept = await convertFile(`image.png-to-${target}`, path, { metadata: { keep: 'no-place' } })
    expect(said(kept.path)).toMatchObject({ 'IFD0:EXIF:Model': 'iPhone 12' })
    expect(Object.entries(said(kept.path)).filter(isPlace)).toEqual([])
  }
})

test('XMP in UTF-16 is kept without its place', async () => {
  const { xmp } = await sharp(photo).metadata()
  const wide = Buffer.from(xmp!.toString(), 'utf16le').swap16()
  const path = files.write(withBlocks(await sharp(photo).jpeg().toBuffer(), { xmp: wide }), 'jpg')
  expect(Object.entries(said(path)).some(isPlace)).toBe(true)
  const kept = await convertFile('image.jpg-to-png', path, { metadata: { keep: 'no-place' } })
  expect(said(kept.path)).toMatchObject({ 'XMP-dc:XMP:Title': 'Old' })
  expect(Object.entries(said(kept.path)).filter(isPlace)).toEqual([])
})

testFull('IPTC of a big-endian TIFF that is not in UTF-8', async () => {
  const tiff = files.path('big-endian.tiff')
  tool('convert', photo, '-strip', '-define', 'tiff:endian=msb', tiff)
  tool('exiftool', '-q', '-overwrite_original', '-IPTC:City=Göteborg', '-IPTC:Keywords=Ö', tiff)
  expect(readFileSync(tiff, 'latin1').slice(0, 2)).toBe('MM')
  const { path } = await convertFile('image.tiff-to-jpg', tiff, { metadata: { keep: 'all' } })
  expect(said(path)).toMatchObject({ 'IPTC:City': 'Göteborg', 'IPTC:Keywords': 'Ö' })
})

test('a lossless WebP that gets a title keeps its transparency', async () => {
  const clear = files.path('clear.png')
  tool('convert', '-size', '8x8', 'xc:#f008', clear)
  const smartCompression = { enabled: true, mode: 'lossless' }
  const { path } = await convertFile('image.png-to-webp', clear, {
    smartCompression,
    metadata: { title: 'A' },
  })
  expect(tool('webpmux', '-info', path)).toMatch(/Features present:.*transparency/)
})

/** Formats that hold EXIF and XMP. */
const holding = ['avif', 'heic', 'jp2', 'jpg', 'jxl', 'png', 'tiff', 'webp']

test.each(kinds(holding, target => target === 'jpg'))(
  'all but the place, a title, an author, rights and a date in a %s',
  async target => {
    const plain = await convertFile(`image.jpg-to-${target}`, photo, { metadata: { keep: 'no-place' } })
    const kept = said(plain.path)
    expect(Object.entries(kept).filter(isPlace)).toEqual([])
    // Nor are the degrees and minutes left where no tag refers to them.
    const latitude = u32(48, 1, 51, 1)
    expect([photo, plain.path].map(path => readFileSync(path).includes(latitude))).toEqual([true, false])
    expect(kept).toMatchObject({
      'IFD0:EXIF:Model': 'iPhone 12',
      'ExifIFD:EXIF:DateTimeOriginal': '2021:05:03 10:00:00',
      'XMP-xmp:XMP:Rating': '4',
    })
    const words = { title: 'Märchen <1>', author: 'Änne', copyright: '© me', date: '2026-05-03 14:30' }
    const all = await convertFile(`image.jpg-to-${target}`, photo, { metadata: { keep: 'all', ...words } })
    const whole = said(all.path)
    expect(Object.entries(whole).filter(isPlace).length).toBeGreaterThan(5)
    expect(whole).toMatchObject({
      'IFD0:EXIF:Model': 'iPhone 12',
      'IFD0:EXIF:ImageDescription': words.title,
      'IFD0:EXIF:Artist': words.author,
      'IFD0:EXIF:Copyright': words.copyright,
      'ExifIFD:EXIF:DateTimeOriginal': '2026:05:03 14:30:00',
      'XMP-dc:XMP:Title': words.title,
      'XMP-dc:XMP:Creator': words.author,
      'XMP-dc:XMP:Rights': words.copyright,
      'XMP-photoshop:XMP:DateCreated': '2026:05:03 14:30:00',
      ...(['jpg', 'tiff'].includes(target) && {
        'IPTC:ObjectName': words.title,
        'IPTC:By-line': words.author,
        'IPTC:CopyrightNotice': words.copyright,
        'IPTC:DateCreated': '2026:05:03',
      }),
    })
    expect(JSON.stringify(whole)).not.toMatch(/Old|SubSec/)
    expect(tool('exiftool', '-warning', '-a', '-s3', all.path)).toBe('')
    if (['avif', 'heic', 'png', 'tiff', 'webp'].includes(target)) {
      const back = await convertFile(`image.${target}-to-jpg`, all.path, { metadata: { keep: 'no-place' } })
      const read = said(back.path)
      expect(Object.entries(read).filter(isPlace)).toEqual([])
      expect([read['IFD0:EXIF:Model'], read['XMP-dc:XMP:Title']]).toEqual(['iPhone 12', words.title])
    }
    if (target !== 'jpg') return
    const { path } = await convertFile('image.jpg-to-jpg', photo, { metadata: words })
    expect(said(path)['IFD0:EXIF:Artist']).toBe(words.author)
    expect(said(path)).not.toHaveProperty(['IFD0:EXIF:Model'])
  },
)
