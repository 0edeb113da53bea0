/** Documents with a damaged picture, which would end LibreOffice. */
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { onlyFull } from '../../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { docx, paragraph, pictureOf } from '../../../../../../testing/fixtures/office.ts'
import { flat, rtf, savedAs } from '../../../../../../testing/office-files.ts'
import { officeFiles, toPdf } from '../../../../../../testing/office-pdf.ts'
import { chunk, header, SIGNATURE } from '../../../../engines/pictures/formats/png.ts'

const { files, write } = officeFiles('damaged-pictures')

const EDGE = 64
const rows = Buffer.concat(
  Array.from({ length: EDGE }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: EDGE * 3 }, (_, x) => (x * 7919 * (y + 3)) % 251)]),
  ),
)
const head = chunk('IHDR', header({ width: EDGE, height: EDGE, depth: 8, colorType: 2 }))
const pngOf = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, head, ...chunks, chunk('IEND')])
const sound = pngOf(chunk('IDAT', deflateSync(rows)))

const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 0x5a
  return copy
}

const damages: Record<string, Buffer> = {
  'a wrong checksum': flipped(sound, sound.length - 14),
  'changed data': flipped(sound, sound.length >> 1),
  'data that do not unpack': pngOf(chunk('IDAT', flipped(deflateSync(rows), 400))),
  'too little data': pngOf(chunk('IDAT', deflateSync(rows.subarray(0, rows.length >> 1)))),
  'the end cut off': sound.subarray(0, sound.length >> 1),
  'rubbish after the signature': Buffer.concat([SIGNATURE, Buffer.alloc(400, 0x37)]),
}

const WARNING = ['A picture in the document is damaged and was left out.']
const TEXT = ['Before the picture']

const withPicture = (png: Buffer) =>
  docx({
    paragraphs: TEXT,
    body: pictureOf('p', 'embed') + paragraph('After the picture'),
    links: [{ id: 'p', type: 'image', target: 'media/p.png' }],
    parts: [{ name: 'word/media/p.png', content: png }],
  })

/** Number of pictures of this size; LibreOffice may show an icon in place of one that it cannot read. */
const picturesIn = (pdf: string) =>
  tool('pdfimages', '-list', pdf).match(new RegExp(` ${EDGE} +${EDGE} `, 'g'))?.length ?? 0

test.each(onlyFull(Object.entries(damages)))(
  'a Word file comes without a picture with %s',
  async (name, png) => {
    const { text, warnings, pdf } = await toPdf('docx-to-pdf', write(`${name}.docx`, withPicture(png)))
    expect(text).toMatch(/Before the picture[\s\S]+After the picture/)
    expect(warnings).toEqual(WARNING)
    expect(picturesIn(pdf)).toBe(0)
  },
)

testFull('a picture in order stays, without a warning', async () => {
  const { warnings, pdf } = await toPdf('docx-to-pdf', write('sound.docx', withPicture(sound)))
  expect(warnings).toEqual([])
  expect(picturesIn(pdf)).toBe(1)
})

const codings: [name: string, coded: (png: Buffer) => string][] = [
  ['hexadecimal', png => ` ${png.toString('hex').replace(/.{64}/g, '$&\n')}`],
  ['binary', png => `\\bin${png.length} ${png.toString('latin1')}`],
]

test.each(onlyFull(codings))('RTF comes without its damaged %s picture', async (name, coded) => {
  const picture = `{\\pict\\pngblip\\picw64\\pich64\\picwgoal960\\pichgoal960${coded(damages['changed data']!)}}\\par}`
  const path = write(
    `${name}.rtf`,
    Buffer.from(rtf(TEXT).toString('latin1').replace(/\}$/, picture), 'latin1'),
  )
  const { text, warnings } = await toPdf('rtf-to-pdf', path)
  expect(text).toContain(TEXT[0])
  expect(warnings).toEqual(WARNING)
})

testFull('an old Word file comes without its damaged picture', async () => {
  const path = savedAs(files.path('old.doc'), write('old.docx', withPicture(sound)))
  const bytes = readFileSync(path)
  const at = bytes.indexOf(SIGNATURE)
  expect(at).toBeGreaterThan(0)
  const { text, warnings, pdf } = await toPdf('doc-to-pdf', write('damaged.doc', flipped(bytes, at + 600)))
  expect(text).toMatch(/Before the picture[\s\S]+After the picture/)
  expect(warnings).toEqual(WARNING)
  expect(picturesIn(pdf)).toBe(0)
})

const hosts = (['pptx', 'ppt', 'xlsx', 'xls'] as const).flatMap(host =>
  Object.entries(damages)
    .map(([name, png]) => ({ host, name, png }))
    // In the older formats, pieces of other data may be between those of a picture.
    .filter(({ name }) => host.endsWith('x') || name === 'changed data'),
)

test.each(onlyFull(hosts))('$host comes without a picture with $name', async ({ host, name, png }) => {
  const isSlide = host.startsWith('ppt')
  const kind = isSlide ? 'presentation' : 'spreadsheet'
  const source = write(`source.${isSlide ? 'fodp' : 'fods'}`, flat(kind, TEXT[0]!, sound))
  const bytes = readFileSync(savedAs(files.path(`sound.${host}`), source))
  const job = isSlide ? 'pptx-to-pdf' : 'xlsx-to-pdf'
  const { text, warnings, pdf } = await toPdf(job, write(`${name}.${host}`, damagedIn(bytes, png)))
  expect(text).toContain(TEXT[0])
  expect(warnings).toEqual(WARNING)
  expect(picturesIn(pdf)).toBe(0)
})

/** The file with a damaged picture in place of the sound one. */
function damagedIn(bytes: Buffer, png: Buffer): Buffer {
  const at = bytes.indexOf(SIGNATURE)
  if (at >= 0) return flipped(bytes, at + 600)
  const parts = unzipSync(bytes)
  const picture = Object.keys(parts).find(part => part.includes('/media/'))
  return Buffer.from(zipSync({ ...parts, [picture!]: png }))
}

test('an RTF file without its end is converted as far as it goes, with a warning', async () => {
  const whole = rtf(['The beginning', 'goes on', 'and ends'])
  const path = write('cut.rtf', whole.subarray(0, whole.indexOf('and ends') + 3))
  const { text, warnings } = await toPdf('rtf-to-pdf', path)
  expect(text).toMatch(/The beginning\s+goes on\s+and/)
  expect(warnings).toEqual([expect.stringContaining('The end of the document is missing')])
})
