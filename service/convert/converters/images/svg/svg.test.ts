/** SVG made to exhaust the machine, SVG that names other files, and damaged SVG. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../../testing/fixtures/full.ts'
import { decode } from '../../../../../testing/pictures.ts'
import { processorSeconds } from '../../../../../testing/processor-time.ts'
import { smallFont } from '../../../../../testing/small-font.ts'
import { svgWith } from '../../../../../testing/svg/document.ts'
import { writeSfnt } from '../../../engines/fonts/sfnt/sfnt.ts'

const files = testFiles('svg')

async function convert(content: string | Buffer, options = {}) {
  writeFileSync(files.path('d.svg'), content)
  return convertFile('image.svg-to-png', files.path('d.svg'), options)
}

const filtered = (primitives: string) =>
  svgWith(
    `<filter id="f" filterUnits="userSpaceOnUse" width="1000" height="1000">${primitives}</filter><rect width="900" height="900" filter="url(#f)"/>`,
    'width="1000" height="1000"',
  )
const chain = (count: number, link: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => link(i)).join('')
const data = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`

/** A font whose directory is right but whose `head` is cut off, in Base64. */
function shortHeaded(): string {
  const font = writeSfnt(smallFont())
  font.writeUInt32BE(20, font.indexOf('head', 0, 'latin1') + 12)
  return font.toString('base64')
}

const bombs: Record<string, () => string> = {
  'a huge size': () => svgWith('', 'width="1e9" height="1e9"'),
  'hundreds of blurs': () => filtered('<feGaussianBlur stdDeviation="1e9"/>'.repeat(500)),
  'a huge radius': () => filtered('<feMorphology radius="100000"/>'),
  'a huge matrix': () => filtered(`<feConvolveMatrix order="500" kernelMatrix="${'1 '.repeat(250_000)}"/>`),
  'a huge radius in a document inside': () =>
    svgWith(`<image width="99" height="99" href="${data(filtered('<feMorphology radius="100000"/>'))}"/>`),
  'a start tag of very many attributes': () =>
    svgWith(
      '',
      chain(3e5, i => ` a${i}="xxxxxxxxxx"`),
    ),
  'elements a hundred thousand deep': () => svgWith('<g>'.repeat(1e5) + '</g>'.repeat(1e5)),
  'uses of uses': () =>
    svgWith(
      chain(
        30,
        i => `<g id="g${i}">${(i ? `<use href="#g${i - 1}"/>` : '<path d="M0 0h9v9z"/>').repeat(10)}</g>`,
      ),
    ),
  'patterns of patterns': () =>
    svgWith(
      `${chain(20, i => `<pattern id="p${i}" width="9" height="9" patternUnits="userSpaceOnUse">${`<rect width="9" height="9" fill="url(#p${i - 1})"/>`.repeat(10)}</pattern>`)}<rect width="90" height="90" fill="url(#p19)"/>`,
    ),
  'masks of masks': () =>
    svgWith(
      `${chain(20, i => `<mask id="m${i}">${`<rect width="9" height="9" fill="red" mask="url(#m${i - 1})"/>`.repeat(10)}</mask>`)}<rect width="90" height="90" mask="url(#m19)"/>`,
    ),
  'markers at every corner': () =>
    svgWith(
      `<marker id="m" markerWidth="3" markerHeight="3">${'<rect width="1" height="1"/>'.repeat(1000)}</marker><path marker-mid="url(#m)" d="M0 0${'L1 1L2 2'.repeat(50_000)}"/>`,
    ),
  'endless dashes': () => svgWith('<path d="M0 0L1e9 1e9" stroke="red" stroke-dasharray=".0001"/>'),
  'a tile larger than memory': () =>
    svgWith(
      '<pattern id="p" width="1e6" height="1e6" patternUnits="userSpaceOnUse"><rect width="9" height="9"/></pattern><rect width="90" height="90" fill="url(#p)"/>',
    ),
  'layers in their thousands': () =>
    svgWith(
      '<g opacity=".9"><rect width="2000" height="2000"/></g>'.repeat(2e4),
      'width="2000" height="2000"',
    ),
  'selectors that match endlessly': () =>
    svgWith(
      `<style>${chain(1500, i => `g g g rect.a${i},* * * rect{fill:red}`)}</style><g><g><g>${'<rect class="a1"/>'.repeat(3000)}</g></g></g>`,
    ),
  'letters without end': () => svgWith(`<text y="20">${'hello '.repeat(200_000)}</text>`),
  'entities of entities': () =>
    `<!DOCTYPE svg [<!ENTITY a0 "haha">${chain(9, i => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)}]>${svgWith('<text>&a9;</text>')}`,
  'entities of shapes of entities': () =>
    `<!DOCTYPE svg [<!ENTITY a0 "<rect width='9' height='9'/>">${chain(9, i => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)}]>${svgWith('&a9;')}`,
}

/** In the short suite, others show the way for these. */
const similar =
  /^(selectors that match endlessly|uses of uses|a huge matrix|a huge radius in a document inside|patterns of patterns|masks of masks|layers in their thousands|entities of shapes of entities)$/

test.each(kinds(Object.keys(bombs), name => !similar.test(name)))('%s is refused quickly', async name => {
  const content = bombs[name]!()
  const seconds = await processorSeconds(() =>
    expect(convert(content)).rejects.toMatchObject({ code: 'jobs.too_large' }),
  )
  expect(seconds).toBeLessThan(4)
})

describe('vector graphics of other programs', () => {
  const red = '<rect width="9" height="9" style="fill:blue;/* was: green */fill:red"/>'
  const colour = async (content: string | Buffer) => [
    ...decode((await convert(content)).path).data.subarray(0, 4),
  ]

  test('a style with a comment, with or without a colon', async () => {
    expect(await colour(svgWith(red))).toEqual([255, 0, 0, 255])
  })

  test.each<[string, BufferEncoding, string]>([
    ['UTF-8 labelled as UTF-16, as .NET writes to strings', 'utf8', 'utf-16'],
    ['UTF-8 labelled as Latin-1', 'utf8', 'iso-8859-1'],
    ['UTF-16 without a mark', 'utf16le', 'utf-16'],
  ])('%s', async (_, encoding, label) => {
    const text = `<?xml version="1.0" encoding="${label}"?>${svgWith(red)}`
    expect(await colour(Buffer.from(text, encoding))).toEqual([255, 0, 0, 255])
  })

  test('without a size, a view box in hundredths of a millimetre is drawn at a sensible one', async () => {
    const { path } = await convert(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 21000 29700"><rect width="21000" height="14850" fill="red"/></svg>',
      { resize: { enabled: true, preset: 'custom', value: 297, mode: 'pixels' } },
    )
    const { width, height, data } = decode(path)
    expect([width, height, data[0], data[4 * width * 200 + 3]]).toEqual([210, 297, 255, 0])
  })

  test('parts for English of another country, and definitions for other languages', async () => {
    const own = '<rect width="9" height="9" systemLanguage="en-GB" fill="url(#g)"/>'
    const stops = '<linearGradient id="g" systemLanguage="de"><stop stop-color="red"/></linearGradient>'
    expect(await colour(svgWith(stops + own))).toEqual([255, 0, 0, 255])
    expect(await colour(svgWith(own.replace('en-GB', 'eng')))).toEqual([0, 0, 0, 0])
  })

  test('a variable font is drawn in its default weight, with a warning', async () => {
    const file = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
    const font = `data:font/woff2;base64,${readFileSync(fileURLToPath(file)).toString('base64')}`
    const inWeight = async (weight: string) => {
      const style = `@font-face{font-family:V;src:url(${font})}text{font:${weight} 48px V}`
      const { path, warnings } = await convert(
        svgWith(`<style>${style}</style><text x="9" y="60">HÉllo</text>`),
      )
      expect(warnings).toEqual([expect.stringContaining('variable font')])
      return readFileSync(path)
    }
    expect(await inWeight('900')).toEqual(await inWeight('400'))
  })
})

test.each([
  ['a use of itself', '<g id="a"><use href="#a"/><rect width="9" height="9"/></g>'],
  [
    'uses of each other',
    '<g id="a"><use href="#b"/><rect width="9" height="9"/></g><g id="b"><use href="#a"/></g>',
  ],
  [
    'a pattern of itself',
    '<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="url(#p)"/></pattern><rect width="9" height="9"/><rect x="20" width="9" height="9" fill="url(#p)"/>',
  ],
  [
    'a mask of itself',
    '<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask><rect width="9" height="9"/><rect width="9" height="9" mask="url(#m)"/>',
  ],
  [
    'a clip of itself',
    '<clipPath id="c" clip-path="url(#c)"><rect width="9" height="9"/></clipPath><rect width="9" height="9"/><rect width="9" height="9" clip-path="url(#c)"/>',
  ],
  [
    'gradients of each other',
    '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9"/><rect x="20" width="50" height="50" fill="url(#a)"/>',
  ],
  [
    'variables of variables',
    `<style>:root{--a0:x${chain(40, i => `;--a${i + 1}:var(--a${i})var(--a${i})`)}}path{fill:var(--a40)}</style><rect width="9" height="9"/>`,
  ],
  [
    'a blur of a billion pixels',
    '<filter id="f"><feGaussianBlur stdDeviation="1e9"/></filter><g filter="url(#f)"><rect y="50" width="9" height="9"/></g><rect width="9" height="9"/>',
  ],
  [
    'noise of a billion octaves',
    '<filter id="f"><feTurbulence baseFrequency=".1" numOctaves="1000000000"/></filter><rect y="50" width="9" height="9" filter="url(#f)"/><rect width="9" height="9"/>',
  ],
  ['letters as large as a house', '<text y="190" font-size="1e8">abc</text><rect width="9" height="9"/>'],
])('%s does not affect the rest', async (_, content) => {
  const { path } = await convert(svgWith(content))
  const { data: pixels } = decode(path)
  expect([...pixels.subarray(0, 4)]).toEqual([0, 0, 0, 255])
})

test('shapes in entities are drawn where these stand, with entities inside and text around them', async () => {
  const doctype = `<!DOCTYPE svg [<!ENTITY colour "#0000ff"><!ENTITY box "<rect width='99' height='99' fill='&colour;'/>">
    <!ENTITY boxes "<g>&box;</g>">]>`
  const { path, warnings } = await convert(doctype + svgWith('<g opacity="1">a &amp; b&boxes;</g>'))
  expect([...decode(path).data.subarray(0, 4)]).toEqual([0, 0, 255, 255])
  expect(warnings).toEqual([])
})

test('"Sans" is a font without serifs', async () => {
  const text = (family: string) => svgWith(`<text y="90" font-size="90" font-family="${family}">Ing</text>`)
  const pixels = async (family: string) => decode((await convert(text(family))).path).data
  expect(await pixels('Sans')).toEqual(await pixels('DejaVu Sans'))
  expect(await pixels('Sans')).not.toEqual(await pixels('serif'))
})

describe('missing parts are reported', () => {
  const square = '<rect width="200" height="200" fill="#00ff00"/>'

  test.each([
    ['a picture beside the file', '<image href="a.png" width="9" height="9"/>', /outside of itself/],
    [
      'a picture on the network',
      '<image href="http://127.0.0.1:1/a.png" width="9" height="9"/>',
      /outside of itself/,
    ],
    ['a shape of another file', '<use href="other.svg#a"/>', /outside of itself/],
    [
      'a paint of another file',
      '<rect width="9" height="9" fill="url(other.svg#a) #00ff00"/>',
      /outside of itself/,
    ],
    ['an imported style', '<style>@import url("a.css");</style>', /outside of itself/],
    [
      'a broken picture',
      '<image href="data:image/png;base64,AAAA" width="9" height="9"/>',
      /picture inside the drawing/,
    ],
    [
      'a broken font',
      '<style>@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMgAB)}</style>',
      /font inside the drawing/,
    ],
    [
      'a font whose tables are too short',
      `<style>@font-face{font-family:x;src:url(data:font/ttf;base64,${shortHeaded()})}</style>`,
      /font inside the drawing/,
    ],
    [
      'a font of the network',
      '<style>@font-face{font-family:x;src:url(https://example.org/x.woff2)}</style>',
      /outside of itself/,
    ],
    [
      'HTML',
      '<foreignObject width="99" height="99"><div xmlns="http://www.w3.org/1999/xhtml">Hi</div></foreignObject>',
      /HTML/,
    ],
  ])('%s', async (_, content, expected) => {
    const { path, warnings } = await convert(svgWith(square + content))
    expect(warnings).toEqual([expect.stringMatching(expected)])
    expect([...decode(path).data.subarray(0, 4)]).toEqual([0, 255, 0, 255])
  })

  test('not if there is a replacement, or nothing is missing', async () => {
    const html = '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Hi</p></foreignObject>'
    const link = '<a href="https://example.org/"><text y="20">Link</text></a>'
    const { warnings } = await convert(svgWith(`${square}<switch>${html}<text>Hi</text></switch>${link}`))
    expect(warnings).toEqual([])
  })
})

describe('damaged vector graphics', () => {
  const whole = svgWith(
    '<rect width="200" height="100" fill="#0000ff"/><rect y="100" width="200" height="100"/>',
  )

  test.each([
    ['cut off in a tag', whole.slice(0, -20)],
    ['cut off between tags', whole.slice(0, -6)],
    ['with an end tag too many', whole.replace('<rect y', '</g><rect y')],
  ])('%s show what is left, with a warning', async (_, content) => {
    const { path, warnings } = await convert(content)
    expect(warnings).toEqual([expect.stringContaining('damaged or incomplete')])
    expect([...decode(path).data.subarray(0, 4)]).toEqual([0, 0, 255, 255])
  })

  test.each([
    ['other text', Buffer.from('<html><svg/></html>')],
    ['nothing', Buffer.alloc(0)],
    ['a broken archive', gzipSync(whole).subarray(0, 40)],
    ['half a start tag', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width')],
  ])('%s is not a vector graphic', async (_, content) => {
    await expect(convert(content)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })
})

testFull('a vector graphic too large to draw at once is the same in bands', async () => {
  const content = svgWith('<circle cx="100" cy="100" r="100" fill="#ff0000"/>')
  const { path } = await convert(content, { density: 96 * 29 })
  const { data: opacity, info } = await sharp(path)
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  expect([width, height]).toEqual([5800, 5800])
  for (let y = 0; y < height; y += 50) {
    const half = Math.sqrt(Math.max(0, 2900 ** 2 - (y + 0.5 - 2900) ** 2))
    const at = (x: number) => opacity[y * width + Math.round(x)]
    if (half > 100 && half < 2800) {
      expect(at(2900 - half - 20)).toBe(0)
      expect(at(2900 + half - 60)).toBe(255)
    }
  }
})
