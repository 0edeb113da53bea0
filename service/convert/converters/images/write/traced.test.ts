/** Flat graphics drawn as SVG, as Chromium shows them, and pictures that are none. */
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPictures } from '../../../../../testing/chromium.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { onlyFull } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import images from '../index.ts'

const files = testFiles('traced')
const logo = files.path('logo.png')

beforeAll(() => {
  const shapes = [
    ['#d02030', 'circle 90,90 90,30'],
    ['#1040a0', 'rectangle 130,60 260,120'],
    ['#f0c000', 'polygon 20,190 150,190 85,130'],
    ['#ffffff', 'circle 90,90 90,70'],
  ]
  const vectorGraphic = shapes.flatMap(([fill, shape]) => ['-fill', fill!, '-draw', shape!])
  tool('convert', '-size', '280x200', 'xc:none', ...vectorGraphic, `png32:${logo}`)
  tool('convert', logo, '-background', 'white', '-flatten', files.path('logo.bmp'))
  tool('convert', logo, files.path('logo.gif'))
  // Squares, each of a colour of its own, which trace to more shapes than noise of the same size.
  const noise = ['xc:gray50', '-seed', '3', '+noise', 'Random']
  tool('convert', '-size', '170x170', ...noise, '-scale', '300%', files.path('squares.png'))
  tool('convert', '-size', '300x300', ...noise, files.path('busy.png'))
  tool('convert', '-size', '120x120', '-seed', '3', 'plasma:red-blue', `png24:${files.path('photo.png')}`)
  tool('convert', '-size', '90x90', 'xc:#3060c080', `png32:${files.path('glass.png')}`)
})

/** Largest share of full scale by which a pixel of RGBA differs on average, each premultiplied. */
async function difference(svg: string, source: string) {
  const { a } = await chromiumPictures({ a: svg })
  const [shown, wanted] = await Promise.all(
    [a!, source].map(async picture => {
      const image = sharp(picture).ensureAlpha().raw({ depth: 'uchar' })
      return image.toBuffer({ resolveWithObject: true })
    }),
  )
  expect([shown!.info.width, shown!.info.height]).toEqual([wanted!.info.width, wanted!.info.height])
  const premultiplied = (data: Buffer) =>
    data.map((value, at) => (at % 4 === 3 ? value : (value * data[at | 3]!) / 255))
  const other = premultiplied(wanted!.data)
  const sum = premultiplied(shown!.data).reduce((total, value, at) => total + Math.abs(value - other[at]!), 0)
  return sum / other.length / 255
}

const drawn = async (name: string, options = {}) => {
  const { path, warnings } = await convertFile(
    `image.${name.split('.')[1]}-to-svg`,
    files.path(name),
    options,
  )
  tool('xmllint', '--noout', path)
  return { svg: readFileSync(path, 'utf8'), warnings }
}

const coloursOf = (svg: string) => new Set(svg.match(/fill="[^"]*"/g)).size

describe('a flat graphic', () => {
  it.each(onlyFull(['logo.png', 'logo.gif', 'logo.bmp']))(
    'looks the same as a vector graphic, clear where it was: %s',
    async name => {
      const { svg, warnings } = await drawn(name)
      expect(await difference(svg, name === 'logo.bmp' ? await whiteLogo() : files.path(name))).toBeLessThan(
        0.004,
      )
      expect(warnings).toEqual([])
      expect(svg.length).toBeLessThan(10_000)
    },
  )

  it('has no more colours than asked for, and those of the picture', async () => {
    const { svg } = await drawn('logo.png', { colours: 4 })
    expect(coloursOf(svg)).toBeLessThanOrEqual(4)
    expect(await difference(svg, logo)).toBeLessThan(0.01)
    expect(coloursOf((await drawn('photo.png', { colours: 3 })).svg)).toBeLessThanOrEqual(3)
  })

  testFull('states the size that was asked for', async () => {
    const { svg } = await drawn('logo.png', {
      resize: { enabled: true, preset: 'custom', value: 5600, enlarge: true },
    })
    expect(svg).toMatch(/ width="5600" height="4000" /)
    const small = svg.replace('width="5600" height="4000"', 'width="280" height="200"')
    expect(await difference(small, logo)).toBeLessThan(0.006)
  })

  testFull('may be huge', async () => {
    tool(
      'convert',
      '-size',
      '1500x1500',
      'xc:white',
      '-fill',
      'red',
      '-draw',
      'circle 750,750 750,150',
      files.path('huge.png'),
    )
    const { svg } = await drawn('huge.png')
    expect(svg).toMatch(/ width="1500" height="1500" /)
    expect(svg.length).toBeLessThan(6000)
  })
})

const whiteLogo = async () => {
  tool('convert', logo, '-background', 'white', '-flatten', files.path('white.png'))
  return files.path('white.png')
}

it('shows fewer shapes with less detail', async () => {
  const sizes = await Promise.all(
    ['coarse', 'balanced', 'fine'].map(async detail => (await drawn('photo.png', { detail })).svg.length),
  )
  expect(sizes[0]).toBeLessThan(sizes[1]!)
  expect(sizes[1]).toBeLessThan(sizes[2]!)
})

testFull('is honest about pictures that are not flat', async () => {
  expect((await drawn('busy.png')).warnings).toEqual([expect.stringContaining('flat graphics')])
  expect((await drawn('glass.png')).warnings).toEqual([expect.stringContaining('partly transparent')])
  await expect(drawn('squares.png', { detail: 'fine' })).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

it('draws a picture of which nothing can be seen', async () => {
  tool('convert', '-size', '40x30', 'xc:none', `png32:${files.path('empty.png')}`)
  const { svg, warnings } = await drawn('empty.png')
  expect([coloursOf(svg), warnings]).toEqual([0, []])
})

it('is made of pictures that pixels are drawn in', () => {
  const sources = images.filter(each => each.target === 'svg').map(({ source }) => source)
  expect(sources).toEqual(['avif', 'bmp', 'gif', 'jpg', 'png', 'psd', 'tiff', 'webp'])
})
