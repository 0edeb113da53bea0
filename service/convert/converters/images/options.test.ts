import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { converterOf, convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, kinds } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { gradient, psnr, seeded } from '../../../../testing/fixtures/pixels.ts'
import {
  bytesOf,
  decode,
  identify,
  makePicture,
  onWhite,
  writePam,
  writePnm,
} from '../../../../testing/pictures.ts'
import { render } from '../../../shared/messages/render.ts'
import { Catalogue } from '../../catalogue/catalogue.ts'
import { validateOptions } from '../../catalogue/schema.ts'
import type { Options } from '../../catalogue/task.ts'
import { buildIcon, iconBitmap } from '../../engines/pictures/ico/write.ts'
import { converters } from '../index.ts'
import { editOptions } from './edit-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-options-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

beforeAll(() => {
  writePnm(gradient(400, 300), file('a.ppm'))
  for (const name of ['a.png', 'a.jpg', 'a.tiff']) makePicture(file('a.ppm'), file(name))
  // Noise on a gradient, so that compression matters.
  const noisy = gradient(400, 300)
  const random = seeded(7)
  noisy.data.forEach((value, i) => {
    noisy.data[i] = Math.min(255, value + random(24))
  })
  writePnm(noisy, file('noisy.ppm'))
  makePicture(file('noisy.ppm'), file('noisy.png'))
  const data = new Uint8Array(400 * 300 * 4).map((_, i) => (i % 4 === 3 ? 0 : 200))
  writePam({ width: 400, height: 300, data }, file('clear.pam'))
  makePicture(file('clear.pam'), file('clear.png'))
})

const sizeOf = (path: string) => identify(path).split(' ')[1]

describe('resize', () => {
  const resized = async (resize: object, name = 'a.png') => {
    const { path } = await convertFile('image.png-to-jpg', file(name), {
      resize: { enabled: true, ...resize },
    })
    return sizeOf(path)
  }

  const resizes: [string, object, string][] = [
    ['the longest edge in pixels', { preset: 'custom', value: 100 }, '100x75'],
    ['a percentage', { mode: 'percentage', preset: 'custom', value: 50 }, '200x150'],
    ['a percentage without a preset', { mode: 'percentage', value: 25 }, '100x75'],
    ['a longest edge without a preset', { value: 200 }, '200x150'],
    ['a percentage above 100', { mode: 'percentage', preset: 'custom', value: 150 }, '400x300'],
    [
      'the same, when asked to',
      { mode: 'percentage', preset: 'custom', value: 150, enlarge: true },
      '600x450',
    ],
    ['a longest edge above its own', { preset: 'custom', value: 800 }, '400x300'],
    ['the same, when told to', { preset: 'custom', value: 800, enlarge: true }, '800x600'],
    ['a preset, which beats the value', { preset: '720p', value: 10, enlarge: true }, '1280x960'],
    ['no preset, which ignores the value', { preset: 'off', value: 10 }, '400x300'],
    ['nothing unless enabled', { enabled: false, preset: 'custom', value: 10 }, '400x300'],
    ['one pixel at least', { preset: 'custom', value: 1 }, '1x1'],
  ]
  test.each(kinds(resizes, ([name]) => !/without a preset|the same/.test(name)))(
    'obeys %s',
    async (_, resize, size) => {
      expect(await resized(resize)).toBe(size)
    },
  )

  test('a value that a preset excludes is named in a warning', async () => {
    const warned = async (resize: object) => {
      const options = { resize: { enabled: true, ...resize } }
      return (await convertFile('image.png-to-jpg', file('a.png'), options)).warnings.join()
    }
    expect(await warned({ mode: 'percentage', preset: '720p', value: 50 })).toMatch(/size 720p was used/)
    expect(await warned({ preset: 'off', value: 50 })).toMatch(/size off was used/)
    expect(await warned({ mode: 'percentage', value: 50 })).toBe('')
    expect(await warned({ preset: '720p' })).toBe('')
  })

  const presets = [
    ['4k', '3840x2880'],
    ['2k', '2560x1920'],
    ['1080p', '1920x1440'],
  ] as const
  test.each(kinds(presets, ([preset]) => preset === '1080p'))('preset %s', async (preset, size) => {
    expect(await resized({ preset, enlarge: true })).toBe(size)
  })

  test('keeps the picture, only smaller', async () => {
    const options = { resize: { enabled: true, preset: 'custom', value: 200 } }
    const { path } = await convertFile('image.jpg-to-png', file('a.jpg'), options)
    tool('convert', file('a.ppm'), '-resize', '50%', file('half.png'))
    expect(psnr(onWhite(decode(path)), onWhite(decode(file('half.png'))))).toBeGreaterThan(38)
  })

  test('refuses results of more than 400 megapixels', async () => {
    await expect(resized({ mode: 'percentage', value: 10_000, enlarge: true })).rejects.toMatchObject({
      code: 'jobs.too_large',
    })
  })
})

describe('smart compression', () => {
  const bytes = async (target: string, options: Record<string, unknown>, source = 'noisy.png') => {
    const { path } = await convertFile(`image.png-to-${target}`, file(source), options)
    return { path, size: statSync(path).size }
  }

  test.each(few(1, ['jpg', 'webp', 'avif']))('lossy makes %s smaller and keeps it similar', async target => {
    const plain = await bytes(target, {})
    const smart = await bytes(target, { smartCompression: { enabled: true } })
    expect(smart.size).toBeLessThan(plain.size)
    expect(psnr(onWhite(decode(file('noisy.png'))), onWhite(decode(smart.path)))).toBeGreaterThan(30)
  })

  test.each(few(1, ['webp', 'avif']))('lossless %s keeps every pixel', async target => {
    const options = { smartCompression: { enabled: true, mode: 'lossless' } }
    const { path } = await bytes(target, options)
    expect(psnr(onWhite(decode(file('noisy.png'))), onWhite(decode(path)))).toBe(Number.POSITIVE_INFINITY)
  })

  testFull('lossless png of a flat graphic whose alpha channel hides nothing does without it', async () => {
    const shapes = ['circle 60,60 60,10', 'circle 130,90 130,40', 'circle 90,140 90,120']
    const drawn = shapes.flatMap((shape, nth) => ['-fill', ['#c33', '#393', '#33c'][nth]!, '-draw', shape])
    tool('convert', '-size', '200x200', 'xc:white', ...drawn, '-alpha', 'on', `PNG32:${file('drawn.png')}`)
    const { path, size } = await bytes(
      'png',
      { smartCompression: { enabled: true, mode: 'lossless' } },
      'drawn.png',
    )
    expect(tool('identify', '-format', '%[channels]', path)).toBe('srgb')
    expect(size).toBeLessThan(0.95 * (await bytes('png', {}, 'drawn.png')).size)
    expect(psnr(onWhite(decode(file('drawn.png'))), onWhite(decode(path)))).toBe(Number.POSITIVE_INFINITY)
  })

  testFull('lossless webp of a large flat graphic or photo keeps every pixel', async () => {
    const options = { smartCompression: { enabled: true, mode: 'lossless' } }
    const large = [
      ['flat graphic', 1],
      ['photograph', 20, '-seed', '1', '-attenuate', '0.4', '+noise', 'gaussian'],
    ] as const
    // Noise takes long to compress.
    for (const [name, bits, ...noise] of isFull ? large : large.slice(0, 1)) {
      tool('convert', file('a.ppm'), '-scale', '4720x3400!', ...noise, file(`${name}.ppm`))
      tool('convert', file(`${name}.ppm`), '-quality', '11', file(`${name}.png`))
      const { path, size } = await bytes('webp', options, `${name}.png`)
      expect((size * 8) / (4720 * 3400)).toBeLessThan(bits)
      tool('dwebp', path, '-ppm', '-o', file('back.ppm'))
      expect(bytesOf(file('back.ppm')).equals(bytesOf(file(`${name}.ppm`)))).toBe(true)
    }
  })

  test('lossless of a lossy source grows, with a warning', async () => {
    tool('convert', file('noisy.ppm'), '-quality', '60', file('lossy.jpg'))
    const smartCompression = { enabled: true, mode: 'lossless' }
    for (const target of kinds(['webp', 'avif'], each => each === 'avif')) {
      const { warnings } = await convertFile(`image.jpg-to-${target}`, file('lossy.jpg'), {
        smartCompression,
      })
      expect(warnings.join()).toMatch(/times as large/)
      const lossy = await convertFile(`image.jpg-to-${target}`, file('lossy.jpg'), {
        smartCompression: { enabled: true },
      })
      expect(lossy.warnings).toEqual([])
    }
  })

  test('lossless jpg has the pixels of plain jpg in fewer bytes', async () => {
    const plain = await bytes('jpg', {})
    const smart = await bytes('jpg', { smartCompression: { enabled: true, mode: 'lossless' } })
    expect(smart.size).toBeLessThan(plain.size)
    expect(psnr(onWhite(decode(smart.path)), onWhite(decode(plain.path)))).toBe(Number.POSITIVE_INFINITY)
  })

  testFull('lossless png keeps every pixel and is no larger', async () => {
    const convert = async (options: Record<string, unknown>) =>
      (await convertFile('image.tiff-to-png', file('a.tiff'), options)).path
    const plain = await convert({})
    const smart = await convert({ smartCompression: { enabled: true, mode: 'lossless' } })
    expect(statSync(smart).size).toBeLessThanOrEqual(statSync(plain).size)
    expect(psnr(onWhite(decode(plain)), onWhite(decode(smart)))).toBe(Number.POSITIVE_INFINITY)
  })

  test.each(kinds(['jpg', 'webp', 'avif'], target => target === 'webp'))(
    'is never larger, even if there is little to gain: %s',
    async target => {
      const plain = await bytes(target, { quality: 5 }, 'a.png')
      const smart = await bytes(target, { quality: 5, smartCompression: { enabled: true } }, 'a.png')
      expect(smart.size).toBeLessThanOrEqual(plain.size)
    },
  )
})

test.each(few(1, ['jpg', 'webp', 'avif']))('quality of %s trades size for similarity', async target => {
  const results: number[][] = []
  for (const quality of kinds([10, 50, 100], each => each !== 50)) {
    const { path } = await convertFile(`image.png-to-${target}`, file('noisy.png'), { quality })
    results.push([statSync(path).size, psnr(onWhite(decode(file('noisy.png'))), onWhite(decode(path)))])
  }
  for (const [at, [size, likeness]] of results.slice(1).entries()) {
    expect(size).toBeGreaterThan(results[at]![0]!)
    expect(likeness).toBeGreaterThan(results[at]![1]!)
  }
})

describe('the size of the file', () => {
  const sizedTo = async (target: string, targetSize: number, source = 'noisy.png') => {
    const result = await convertFile(`image.png-to-${target}`, file(source), { targetSize })
    return { ...result, bytes: statSync(result.path).size }
  }

  test.each([
    ['jpg', 20, 0.85],
    ['webp', 10, 0.85],
    // The steps of its quality are coarse for a small picture.
    ['avif', 3, 0.6],
  ])('is nearly what is allowed for %s', async (target, most, share) => {
    const { bytes, path, warnings } = await sizedTo(target, most)
    expect(bytes).toBeLessThanOrEqual(most * 1000)
    expect(bytes).toBeGreaterThanOrEqual(most * 1000 * share)
    expect(sizeOf(path)).toBe('400x300')
    expect(warnings).toEqual([])
  })

  test('leaves alone what is smaller', async () => {
    const plain = await convertFile('image.png-to-jpg', file('a.png'), {})
    expect((await sizedTo('jpg', 900, 'a.png')).bytes).toBe(statSync(plain.path).size)
  })

  test('takes pixels where less quality is not enough', async () => {
    const { bytes, path, warnings } = await sizedTo('jpg', 2)
    expect(bytes).toBeLessThanOrEqual(2000)
    expect(Number(sizeOf(path)?.split('x')[0])).toBeLessThan(400)
    expect(warnings.join()).toContain(sizeOf(path)?.replace('x', ' × '))
  })

  testFull('is met by a PNG, with fewer colours or pixels', async () => {
    const { path } = await convertFile('image.png-to-png', file('noisy.png'), { targetSize: 40 })
    expect(statSync(path).size).toBeLessThanOrEqual(40_000)
    expect(identify(path)).toContain('PNG')
  })
})

testFull('a graphic of few colours becomes WebP without loss where that is no larger', async () => {
  const shapes = [
    '-fill',
    '#e30613',
    '-draw',
    'rectangle 20,30 170,230',
    '-fill',
    '#0055a4',
    '-draw',
    'circle 280,150 340,200',
  ]
  tool('convert', '-size', '400x300', 'xc:#fffbe6', ...shapes, '-depth', '8', file('logo.png'))
  const { path } = await convertFile('image.png-to-webp', file('logo.png'))
  tool('dwebp', path, '-ppm', '-o', file('logo.ppm'))
  expect(psnr(onWhite(decode(file('logo.png'))), onWhite(decode(file('logo.ppm'))))).toBe(Infinity)
  tool('cwebp', '-quiet', '-q', '82', file('logo.png'), '-o', file('lossy.webp'))
  expect(statSync(path).size).toBeLessThanOrEqual(statSync(file('lossy.webp')).size)
})

test('transparency becomes white, or the requested colour', async () => {
  const white = await convertFile('image.png-to-jpg', file('clear.png'))
  expect([...decode(white.path).data.subarray(0, 4)]).toEqual([255, 255, 255, 255])
  const red = await convertFile('image.png-to-jpg', file('clear.png'), { background: '#ff0000' })
  const [r = 0, g = 0, b = 0] = decode(red.path).data
  expect(r > 250 && g < 6 && b < 6).toBe(true)
  const short = await convertFile('image.png-to-jpg', file('clear.png'), { background: '#f00' })
  expect(bytesOf(short.path)).toEqual(bytesOf(red.path))
})

describe('an option that is not valid is refused with what is', () => {
  const catalogue = new Catalogue(converters)
  const check = (source: string, target: string, options: Options) => {
    const found = catalogue.resolve(source, target)
    if (found.kind !== 'found') throw new Error(`there is no conversion from ${source} to ${target}`)
    const checked = validateOptions(found.edge, options)
    return 'problem' in checked ? render(checked.problem) : 'valid'
  }

  test.each(['0', '999', '257', '16,0', '016'])('icon sizes %s', sizes => {
    expect(check('png', 'ico', { icon: { sizes } })).toBe(
      'options.icon.sizes is not valid. Edges in pixels, from 1 to 256. Sizes larger than the picture are left out. Example: 16,32,48',
    )
  })

  test('colours and pages', () => {
    expect(check('png', 'jpg', { background: 'green' })).toBe(
      'options.background is not valid. Colour under transparent parts, as #rrggbb or #rgb. Example: #1a2b3c',
    )
    expect(check('tiff', 'png', { pages: 'some' })).toContain('such as 1-3,7')
  })

  test.each([
    ['png', 'ico', { icon: { sizes: '1, 9,10,99,100,199,200,249,250,256' } }],
    ['png', 'jpg', { background: '#0f0' }],
    ['tgs', 'png', { background: '#0f0' }],
    ['tiff', 'pdf', { pages: '1, 3-' }],
  ])('%s to %s takes %j', (source, target, options) => {
    expect(check(source, target, options)).toBe('valid')
  })
})

test('an icon has the requested sizes, and none larger than the picture', async () => {
  const sizes = async (source: string, options: Record<string, unknown>) => {
    const { path } = await convertFile('image.png-to-ico', file(source), options)
    return [...tool('icotool', '-l', path).matchAll(/--width=(\d+)/g)].map(match => Number(match[1]))
  }
  expect(await sizes('a.png', { icon: { sizes: '32,16,48,16' } })).toEqual([16, 32, 48])
  expect(await sizes('a.png', { resize: { enabled: true, preset: 'custom', value: 40 } })).toEqual([
    16, 24, 32,
  ])
  expect(
    await sizes('a.png', { icon: { sizes: '64' }, resize: { enabled: true, preset: 'custom', value: 40 } }),
  ).toEqual([64])
})

describe('vector graphics', () => {
  const vectorGraphic = (attributes: string) => {
    const path = file('d.svg')
    writeFileSync(
      path,
      `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="99" height="99"/></svg>`,
    )
    return path
  }
  const render = async (attributes: string, options = {}) =>
    sizeOf((await convertFile('image.svg-to-png', vectorGraphic(attributes), options)).path)

  const units: [string, string, string][] = [
    ['pixels', 'width="120" height="60"', '120x60'],
    ['millimetres', 'width="100mm" height="50mm"', '378x189'],
    ['inches', 'width="2in" height="1in"', '192x96'],
    ['points', 'width="72pt" height="36pt"', '96x48'],
    ['a view box alone', 'viewBox="0 0 300 150"', '300x150'],
  ]
  test.each(kinds(units, ([name]) => /millimetres|view box/.test(name)))(
    'measured in %s have the same size as in browsers',
    async (_, attributes, size) => {
      expect(await render(attributes)).toBe(size)
    },
  )

  testFull('are rendered again at any resolution or size', async () => {
    const attributes = 'width="120" height="60"'
    expect(await render(attributes, { density: 192 })).toBe('240x120')
    expect(await render(attributes, { resize: { enabled: true, preset: '720p' } })).toBe('1280x640')
    const { path } = await convertFile('image.svg-to-png', vectorGraphic('width="100" height="100"'), {
      density: 960,
    })
    // An edge drawn at this size is sharp: two neighbours differ fully.
    const { data, width } = decode(path)
    const alphas = Array.from({ length: width }, (_, x) => data[(500 * width + x) * 4 + 3]!)
    expect(alphas.filter(alpha => alpha > 0 && alpha < 255).length).toBeLessThanOrEqual(1)
  })

  test('with a long preamble, another encoding or gzip are read', async () => {
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><text>é</text></svg>'
    const variants: Record<string, Buffer> = {
      preamble: Buffer.from(`<?xml version="1.0"?>\n<!--${'x'.repeat(5000)}-->${body}`),
      utf16: Buffer.from(`\ufeff<?xml version="1.0" encoding="utf-16"?>${body}`, 'utf16le'),
      latin1: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${body}`, 'latin1'),
    }
    for (const [name, bytes] of Object.entries(variants)) {
      writeFileSync(file(`${name}.svg`), bytes)
      const { path } = await convertFile('image.svg-to-png', file(`${name}.svg`))
      expect([name, sizeOf(path)]).toEqual([name, '20x10'])
    }
  })

  test('set their text in the bundled fonts', async () => {
    const rendered = async (family: string) => {
      const text = `<text x="5" y="40" font-size="40" font-family="${family}">Hamburg Ωж</text>`
      writeFileSync(
        file('t.svg'),
        `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="60">${text}</svg>`,
      )
      return bytesOf((await convertFile('image.svg-to-png', file('t.svg'))).path)
    }
    const [named, generic, serif] = [
      await rendered('Arial'),
      await rendered('sans-serif'),
      await rendered('serif'),
    ]
    expect(named.equals(await rendered('Arimo'))).toBe(true)
    expect(named.equals(generic)).toBe(true)
    expect(serif.equals(await rendered('Tinos'))).toBe(true)
    expect(serif.equals(generic)).toBe(false)
  })
})

const files = testFiles('icons')

test('every picture of an icon becomes one of its own, but for a damaged one', async () => {
  const images = [16, 32].map(size => ({
    size,
    data: iconBitmap(size, new Uint8Array(size ** 2 * 4).fill(200)),
  }))
  tool('convert', '-size', '48x48', 'xc:red', files.path('48.png'))
  const broken = { size: 48, data: readFileSync(files.path('48.png')).subarray(0, 40) }
  const path = files.write(buildIcon([...images, broken]), 'ico')
  const { outputs, warnings } = await convertFile('image.ico-to-png', path, { entries: 'all' })
  const sizes = outputs.map(output => tool('identify', '-format', '%wx%h', output.path))
  expect(sizes).toEqual(['32x32', '16x16'])
  expect(warnings).toEqual([expect.stringContaining('48 × 48')])
})

testFull('icons for macOS and for websites hold what those ask for', async () => {
  const png = files.path('logo.png')
  tool('convert', '-size', '600x300', 'xc:#c00', png)
  const { path } = await convertFile('image.png-to-icns', png)
  const listed = tool('icns2png', '-x', '-o', files.path('.'), path)
  expect(listed).toContain('Extracted 2 images')
  const types = Array.from(tool('icns2png', '-l', path).matchAll(/'(ic\w\d)'/g), ([, type]) => type)
  expect(types).toEqual(['icp4', 'icp5', 'ic11', 'ic12', 'ic07', 'ic13', 'ic08', 'ic14', 'ic09'])
  const square = decode(files.path(`${basename(path, '.icns')}_512x512x32.png`))
  expect([...square.data.subarray(0, 4), ...square.data.subarray(256 * 512 * 4).subarray(0, 4)]).toEqual([
    ...[0, 0, 0, 0],
    ...[204, 0, 0, 255],
  ])
  const svg = files.write(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#00c"/></svg>',
    ),
    'svg',
  )
  const made = await convertFile('image.svg-to-ico', svg, { icon: { website: true } })
  const named = Object.fromEntries(made.outputs.map(({ name, path }) => [name, path]))
  expect(Object.keys(named).sort()).toEqual([
    ...[
      'apple-touch-icon.png',
      'favicon.ico',
      'icon-192.png',
      'icon-512.png',
      'icon.svg',
      'site.webmanifest',
    ],
  ])
  expect(tool('icotool', '-l', named['favicon.ico']!).match(/--width=\d+/g)).toEqual(
    [16, 32, 48].map(edge => `--width=${edge}`),
  )
  const { name, icons } = JSON.parse(readFileSync(named['site.webmanifest']!, 'utf8'))
  expect(name).toBe(basename(svg, '.svg'))
  expect(icons).toHaveLength(2)
  for (const { src, sizes } of [{ src: '/apple-touch-icon.png', sizes: '180x180' }, ...icons]) {
    const { width, height, data } = decode(named[src.slice(1)]!)
    expect(`${width}x${height}`).toBe(sizes)
    expect([...data.subarray(0, 4)]).toEqual([0, 0, 204, 255])
  }
})

test('schemas offer what a pair can use, and nothing else', () => {
  const keys = (job: string) => Object.keys(converterOf(job).options).sort()
  const edits = Object.keys(editOptions)
  const common = [...edits, 'metadata', 'resize', 'smartCompression'].sort()
  const sized = [...common, 'colour', 'targetSize']
  expect(keys('image.jpg-to-png')).toEqual([...sized, 'background', 'bitDepth'].sort())
  expect(keys('image.jpg-to-webp')).toEqual([...sized, 'background', 'motion', 'quality'].sort())
  expect(keys('image.jpg-to-jpg')).toEqual([...sized, 'hdr', 'quality'].sort())
  expect(keys('image.gif-to-jpg')).toEqual([...sized, 'background', 'frame', 'quality'].sort())
  expect(keys('image.tiff-to-pdf')).toEqual([...common, 'density', 'pages'].sort())
  expect(keys('image.ico-to-png')).toEqual([...sized, 'background', 'bitDepth', 'entries'].sort())
  expect(keys('image.svg-to-png')).toEqual([...sized, 'background', 'bitDepth', 'density'].sort())
})
