import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import { heicOf } from '../../../../testing/fixtures/heif.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { gradient, psnr } from '../../../../testing/fixtures/pixels.ts'
import { makeDng } from '../../../../testing/fixtures/raw.ts'
import { decode, makePicture, onWhite, writePnm } from '../../../../testing/pictures.ts'
import { psd } from '../../../../testing/psd.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-pdf-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

beforeAll(() => {
  writePnm(gradient(120, 80), file('a.ppm'))
  for (const name of ['a.jpg', 'a.png', 'a.tiff']) makePicture(file('a.ppm'), file(name))
})

const toPdf = async (name: string, options: Record<string, unknown> = {}) => {
  const source = name.endsWith('.tiff') ? 'tiff' : name.endsWith('.png') ? 'png' : 'jpg'
  const job = source === 'tiff' ? 'image.tiff-to-pdf' : `document.${source}-to-pdf`
  const { path } = await convertFile(job, file(name), options)
  expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
  return path
}

/** A page drawn by poppler at 96 pixels per inch, the default resolution of pictures. */
const draw = (pdf: string, page = 1) => {
  tool(
    'pdftoppm',
    '-png',
    '-r',
    '96',
    '-f',
    String(page),
    '-l',
    String(page),
    '-singlefile',
    pdf,
    file('page'),
  )
  return decode(file('page.png'))
}
const pageSize = (pdf: string) => /Page size:\s+([\d.]+ x [\d.]+)/.exec(tool('pdfinfo', pdf))?.[1]
const images = (pdf: string) =>
  tool('pdfimages', '-list', pdf)
    .trim()
    .split('\n')
    .slice(2)
    .map(line => line.trim().split(/\s+/))
    .map(([, , type, width, height, colour, components, bits, encoding]) =>
      [type, `${width}x${height}`, colour, components, bits, encoding].join(' '),
    )

/** Similarity of a picture extracted from a PDF to the original. */
const extracted = (pdf: string, name: string, page = 0) => {
  tool('pdfimages', '-png', pdf, file('x'))
  return psnr(onWhite(decode(file(`x-${String(page).padStart(3, '0')}.png`))), onWhite(decode(file(name))))
}

/** Similarity of the page to the picture as shown by ImageMagick. */
const likeness = (pdf: string, name: string) => {
  tool(
    'convert',
    `${file(name)}[0]`,
    '-auto-orient',
    '+repage',
    '-background',
    'white',
    '-flatten',
    '-strip',
    file('ref.png'),
  )
  return psnr(onWhite(draw(pdf)), onWhite(decode(file('ref.png'))))
}

describe('from jpg', () => {
  test('the coded data are copied', async () => {
    const pdf = await toPdf('a.jpg', { metadata: { strip: false } })
    expect(readFileSync(pdf).includes(readFileSync(file('a.jpg')))).toBe(true)
    expect(images(pdf)).toEqual(['image 120x80 rgb 3 8 jpeg'])
    expect(pageSize(pdf)).toBe('90 x 60')
    expect(likeness(pdf, 'a.jpg')).toBeGreaterThan(38)
  })

  testFull('without metadata, pixel for pixel', async () => {
    copyFileSync(file('a.jpg'), file('tagged.jpg'))
    tool(
      'exiftool',
      '-q',
      '-overwrite_original',
      '-Make=Acme',
      '-GPSLatitude=51',
      '-XMP-dc:Title=Secret',
      '-Comment=Hush',
      file('tagged.jpg'),
    )
    const pdf = await toPdf('tagged.jpg')
    expect(readFileSync(pdf, 'latin1')).not.toMatch(/Acme|Secret|Hush|Exif/)
    tool('pdfimages', '-j', pdf, file('out'))
    expect(psnr(decode(file('out-000.jpg')).data, decode(file('a.jpg')).data)).toBe(Number.POSITIVE_INFINITY)
  })

  // Turned and mirrored.
  test.each(onlyFull([1, 2, 3, 4, 5, 6, 7, 8]))(
    'orientation %i is applied by the page',
    async orientation => {
      copyFileSync(file('a.jpg'), file('o.jpg'))
      tool('exiftool', '-q', '-overwrite_original', `-Orientation#=${orientation}`, file('o.jpg'))
      const pdf = await toPdf('o.jpg')
      expect(pageSize(pdf)).toBe(orientation > 4 ? '60 x 90' : '90 x 60')
      expect(likeness(pdf, 'o.jpg')).toBeGreaterThan(30)
    },
  )

  testFull("CMYK without Adobe's marker is not inverted", async () => {
    tool('convert', file('a.ppm'), '-colorspace', 'CMYK', file('inks.tiff'))
    const inks = await sharp(file('inks.tiff'))
      .pipelineColourspace('cmyk')
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    const at = inks.indexOf('ffee000e41646f6265', 0, 'hex')
    const [before, after] = at < 0 ? [inks, Buffer.alloc(0)] : [inks.subarray(0, at), inks.subarray(at + 16)]
    writeFileSync(file('unmarked.jpg'), Buffer.concat([before, after]))
    expect(tool('exiftool', '-s3', '-ColorTransform', file('unmarked.jpg'))).toBe('')
    const pdf = await toPdf('unmarked.jpg')
    expect(psnr(onWhite(draw(pdf)), onWhite(decode(file('a.ppm'))))).toBeGreaterThan(15)
  })

  testFull('grey and CMYK', async () => {
    tool('convert', file('a.ppm'), '-colorspace', 'gray', file('grey.jpg'))
    const grey = await toPdf('grey.jpg')
    expect(images(grey)).toEqual(['image 120x80 gray 1 8 jpeg'])
    expect(likeness(grey, 'grey.jpg')).toBeGreaterThan(35)
    tool('convert', file('a.ppm'), '-colorspace', 'CMYK', file('cmyk.jpg'))
    const cmyk = await toPdf('cmyk.jpg')
    expect(images(cmyk)).toEqual(['image 120x80 cmyk 4 8 jpeg'])
    // Inverted inks would be far off; readers differ slightly in how they show plain CMYK.
    expect(psnr(onWhite(draw(cmyk)), onWhite(decode(file('a.ppm'))))).toBeGreaterThan(15)
  })

  test('the resolution sets the page size', async () => {
    tool('convert', file('a.ppm'), '-units', 'PixelsPerInch', '-density', '144', file('dense.jpg'))
    expect(pageSize(await toPdf('dense.jpg'))).toBe('60 x 40')
    expect(pageSize(await toPdf('dense.jpg', { density: 72 }))).toBe('120 x 80')
  })

  test('resized and compressed on request', async () => {
    const resize = { enabled: true, preset: 'custom', value: 60 }
    const small = await toPdf('a.jpg', { resize })
    expect(images(small)).toEqual(['image 60x40 rgb 3 8 jpeg'])
    const [plain, smart] = [
      await toPdf('a.jpg'),
      await toPdf('a.jpg', { smartCompression: { enabled: true } }),
    ]
    expect(statSync(smart).size).toBeLessThanOrEqual(statSync(plain).size)
  })
})

describe('from png', () => {
  test('the compressed samples are copied', async () => {
    const pdf = await toPdf('a.png')
    expect(images(pdf)).toEqual(['image 120x80 rgb 3 8 image'])
    expect(extracted(pdf, 'a.png')).toBe(Number.POSITIVE_INFINITY)
    expect(likeness(pdf, 'a.png')).toBeGreaterThan(35)
  })

  const pngs: [string, string[], string[]][] = [
    ['grey of 16 bits', ['-colorspace', 'gray', '-depth', '16'], ['image 120x80 gray 1 16 image']],
    ['RGB of 16 bits', ['-depth', '16', '-define', 'png:bit-depth=16'], ['image 120x80 rgb 3 16 image']],
    ['a palette', ['-colors', '60', '-type', 'Palette'], ['image 120x80 index 1 8 image']],
    ['black and white', ['-monochrome'], ['image 120x80 gray 1 1 image']],
    ['interlaced', ['-interlace', 'PNG'], ['image 120x80 rgb 3 8 image']],
  ]
  test.each(kinds(pngs, ([name]) => /interlaced/.test(name)))('%s', async (_, options, expected) => {
    tool('convert', file('a.ppm'), ...options, file('v.png'))
    const pdf = await toPdf('v.png')
    expect(images(pdf)).toEqual(expected)
    expect(extracted(pdf, 'v.png')).toBeGreaterThan(48)
  })

  test('transparency is a mask', async () => {
    tool(
      'convert',
      file('a.ppm'),
      '(',
      '-size',
      '120x80',
      'gradient:black-white',
      ')',
      '-alpha',
      'off',
      '-compose',
      'CopyOpacity',
      '-composite',
      file('alpha.png'),
    )
    const pdf = await toPdf('alpha.png')
    expect(images(pdf)).toEqual(['image 120x80 rgb 3 8 image', 'smask 120x80 gray 1 8 image'])
    expect(likeness(pdf, 'alpha.png')).toBeGreaterThan(35)
  })

  test('one transparent colour', async () => {
    tool(
      'convert',
      '-size',
      '20x20',
      'xc:#ff0000',
      '-fill',
      '#0000ff',
      '-draw',
      'rectangle 5,5 14,14',
      '-transparent',
      '#ff0000',
      '-type',
      'TrueColorAlpha',
      '-define',
      'png:color-type=2',
      file('key.png'),
    )
    const { data } = draw(await toPdf('key.png'))
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
    expect([...data.subarray((10 * 20 + 10) * 4, (10 * 20 + 10) * 4 + 3)]).toEqual([0, 0, 255])
  })
})

describe('from tiff', () => {
  test('pages of different sizes become pages of one file', async () => {
    tool(
      'convert',
      file('a.ppm'),
      '(',
      file('a.ppm'),
      '-rotate',
      '90',
      ')',
      '(',
      file('a.ppm'),
      '-colorspace',
      'gray',
      ')',
      file('pages.tiff'),
    )
    const pdf = await toPdf('pages.tiff')
    expect(tool('pdfinfo', pdf)).toMatch(/Pages:\s+3/)
    expect(images(pdf).map(line => line.split(' ')[1])).toEqual(['120x80', '80x120', '120x80'])
    expect(extracted(pdf, 'a.ppm')).toBe(Number.POSITIVE_INFINITY)
    const chosen = await toPdf('pages.tiff', { pages: '2-3' })
    expect(images(chosen).map(line => line.split(' ')[1])).toEqual(['80x120', '120x80'])
  })

  testFull('CMYK stays CMYK', async () => {
    tool('convert', file('a.ppm'), '-colorspace', 'CMYK', file('cmyk.tiff'))
    const pdf = await toPdf('cmyk.tiff')
    expect(images(pdf)).toEqual(['image 120x80 cmyk 4 8 image'])
    expect(psnr(onWhite(draw(pdf)), gradient(120, 80).data)).toBeGreaterThan(15)
  })

  testFull('fax pages keep their bit depth of one', async () => {
    tool('convert', file('a.ppm'), '-monochrome', '-compress', 'Group4', file('fax.tiff'))
    const pdf = await toPdf('fax.tiff')
    expect(images(pdf)[0]).toMatch(/120x80 \w+ 1 1 image/)
    expect(extracted(pdf, 'fax.tiff')).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('several pages as pictures', () => {
  test('tiff to png gives a picture for each page, and only for pages', async () => {
    tool('convert', file('a.ppm'), '(', file('a.ppm'), '-resize', '50%', ')', file('two.tiff'))
    const { outputs } = await convertFile('image.tiff-to-png', file('two.tiff'))
    expect(outputs.map(({ path }) => decode(path).width)).toEqual([120, 60])
    // The second one marked as a preview of the first: tag 254, which ImageMagick writes first.
    const marked = readFileSync(file('two.tiff'))
    const first = marked.readUInt32LE(4)
    const second = marked.readUInt32LE(first + 2 + marked.readUInt16LE(first) * 12)
    expect(marked.readUInt16LE(second + 2)).toBe(254)
    marked.writeUInt32LE(1, second + 10)
    writeFileSync(file('preview.tiff'), marked)
    const preview = await convertFile('image.tiff-to-png', file('preview.tiff'))
    expect(preview.outputs.map(({ path }) => decode(path).width)).toEqual([120])
  })

  test('pages that do not exist are refused', async () => {
    const none = convertFile('image.tiff-to-png', file('a.tiff'), { pages: '7' })
    await expect(none).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })

  testFull('every size of an icon becomes a page named after it', async () => {
    tool('convert', file('a.ppm'), '-resize', '64x64!', '-define', 'icon:auto-resize=64,32,16', file('s.ico'))
    const { outputs } = await convertFile('image.ico-to-png', file('s.ico'), { entries: 'all' })
    expect(outputs.map(({ name }) => name)).toEqual(['s-64x64.png', 's-32x32.png', 's-16x16.png'])
    expect(outputs.map(({ path }) => decode(path).width)).toEqual([64, 32, 16])
  })
})

describe('from others', () => {
  const picture = gradient(48, 48)
  const planes = [0, 1, 2].map(channel => picture.data.filter((_, index) => index % 3 === channel))
  beforeAll(() => {
    const still = writePnm(picture, file('still.ppm'))
    for (const suffix of ['avif', 'bmp', 'gif', 'webp']) makePicture(still, file(`still.${suffix}`))
    tool('convert', '-size', '60x40', 'gradient:red-blue', 'gradient:green-white', file('moving.gif'))
    writeFileSync(file('still.heic'), heicOf(picture))
    writeFileSync(file('still.psd'), psd({ mode: 'rgb', width: 48, height: 48, planes, compression: 'raw' }))
    writeFileSync(file('raw.dng'), makeDng(gradient(160, 96), { preview: readFileSync(file('a.jpg')) }))
    const shape = '<rect width="9" height="9" fill="red"/>'
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">${shape}</svg>`
    writeFileSync(file('vector.svg'), svg)
  })

  test.each(
    few(1, [
      ['avif', 'jpeg'],
      ['bmp', 'image'],
      ['gif', 'image'],
      ['heic', 'jpeg'],
      ['psd', 'image'],
      ['webp', 'image'],
    ]),
  )('a %s looks the same on its page', async (source, encoding) => {
    const { path, warnings } = await convertFile(`image.${source}-to-pdf`, file(`still.${source}`))
    expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
    expect(images(path)).toEqual([`image 48x48 rgb 3 8 ${encoding}`])
    expect(pageSize(path)).toBe('36 x 36')
    expect(psnr(onWhite(draw(path)), picture.data)).toBeGreaterThan(source === 'gif' ? 24 : 30)
    expect(warnings).toEqual([])
  })

  testFull('a camera file is developed', async () => {
    const { path } = await convertFile('image.raw-to-pdf', file('raw.dng'))
    const { path: png } = await convertFile('image.raw-to-png', file('raw.dng'))
    expect(images(path)).toEqual(['image 160x96 rgb 3 8 jpeg'])
    expect(psnr(onWhite(draw(path)), onWhite(decode(png)))).toBeGreaterThan(30)
  })

  test('a vector graphic is drawn for paper, at its own size', async () => {
    const { path } = await convertFile('image.svg-to-pdf', file('vector.svg'))
    expect(pageSize(path)).toMatch(/^45(\.\d+)? x 30(\.\d+)?$/)
    expect(images(path)[0]).toMatch(/^image 188x125 /)
    const [red = 0, green = 0] = draw(path).data.subarray(4 * (60 * 4 + 4))
    expect([red > 250, green < 5]).toEqual([true, true])
  })

  testFull('the chosen frame of an animation is drawn', async () => {
    const { path } = await convertFile('image.gif-to-pdf', file('moving.gif'), { frame: 2 })
    tool('convert', `${file('moving.gif')}[1]`, file('second.png'))
    expect(tool('pdfinfo', path)).toMatch(/Pages:\s+1\n/)
    expect(psnr(onWhite(draw(path)), onWhite(decode(file('second.png'))))).toBeGreaterThan(35)
    const beyond = convertFile('image.gif-to-pdf', file('moving.gif'), { frame: 9 })
    await expect(beyond).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })
})
