import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { output } from '../../../../testing/fixtures/programs.ts'
import { decode, identify } from '../../../../testing/pictures.ts'

const files = testFiles('edits')
const card = files.path('card.png')

/** 200 × 100 pixels in four quarters: red and green above, blue and white below. */
beforeAll(() => {
  const quarter = (colour: string, area: string) => ['-fill', colour, '-draw', `rectangle ${area}`]
  const quarters = [
    ...quarter('#0c0', '100,0 199,49'),
    ...quarter('#00c', '0,50 99,99'),
    ...quarter('#fff', '100,50 199,99'),
  ]
  tool('convert', '-size', '200x100', 'xc:#c00', ...quarters, card)
})

/** The colours in the middle of a result's quarters, row by row, as letters. */
function quartersOf(path: string): { size: string; colours: string } {
  const { width, height, data } = decode(path)
  const colours = [0.25, 0.75].flatMap(down =>
    [0.25, 0.75].map(across => {
      const at = (Math.floor(height * down) * width + Math.floor(width * across)) * 4
      const [red, green, blue] = [...data.subarray(at, at + 3)].map(value => value > 127)
      return red && green && blue ? 'w' : red ? 'r' : green ? 'g' : blue ? 'b' : '-'
    }),
  )
  return { size: `${width}x${height}`, colours: colours.join('') }
}

const edit = (target: string, options: Record<string, unknown>, path = card) =>
  convertFile(`image.${path.split('.').at(-1)}-to-${target}`, path, options)

test.each([
  ['a part in pixels', { crop: { left: 100, top: 0, width: 100, height: 50 } }, '100x50', 'gggg'],
  ['a part without an end', { crop: { left: 100 } }, '100x100', 'ggww'],
  ['a square from the left', { crop: { aspect: '1:1', gravity: 'west' } }, '100x100', 'rrbb'],
  ['a square in the middle', { crop: { aspect: '1:1' } }, '100x100', 'rgbw'],
  ['a shape within a part', { crop: { left: 100, aspect: '1:1' } }, '100x100', 'ggww'],
  ['turned', { rotate: 90 }, '100x200', 'brwg'],
  ['turned back', { rotate: '270' }, '100x200', 'gwrb'],
  ['upside down', { rotate: '180' }, '200x100', 'wbgr'],
  ['mirrored', { flip: 'horizontal' }, '200x100', 'grwb'],
  ['mirrored upwards', { flip: 'vertical' }, '200x100', 'bwrg'],
  ['turned, then mirrored', { rotate: '90', flip: 'horizontal' }, '100x200', 'rbgw'],
  ['cut, then turned', { crop: { left: 50, width: 100 }, rotate: '90' }, '100x100', 'brwg'],
  ['covering a size', { resize: { width: 50, height: 50, fit: 'cover' } }, '50x50', 'rgbw'],
  ['within a size', { resize: { width: 50, height: 50 } }, '50x25', 'rgbw'],
  ['stretched', { resize: { width: 50, height: 60, fit: 'fill' } }, '50x60', 'rgbw'],
  ['cut, then smaller', { crop: { left: 100 }, resize: { value: 50 } }, '50x50', 'ggww'],
])('a picture that is %s', async (_, options, size, colours) => {
  const given = 'resize' in options ? { resize: { enabled: true, ...options.resize } } : {}
  const { path, warnings } = await edit('webp', { ...options, ...given })
  expect(quartersOf(path)).toEqual({ size, colours })
  expect(warnings).toEqual([])
})

test.each(kinds([1, 2, 3, 4, 5, 6, 7, 8], orientation => orientation === 6))(
  'edits of a photo with orientation %i are those of the upright one',
  async orientation => {
    // What turns an upright picture into one that has to be shown with that orientation.
    const stored = [
      [],
      ['-flop'],
      ['-rotate', '180'],
      ['-flip'],
      ['-transpose'],
      ['-rotate', '270'],
      ['-transverse'],
      ['-rotate', '90'],
    ]
    const path = files.path(`turned-${orientation}.jpg`)
    tool('convert', card, ...stored[orientation - 1]!, '-quality', '98', path)
    tool('exiftool', '-q', '-overwrite_original', '-n', `-Orientation=${orientation}`, path)
    const options = {
      crop: { left: 50, width: 100 },
      rotate: '90',
      flip: 'vertical',
      metadata: { strip: orientation % 2 === 0 },
    }
    const made = await edit('png', options, path)
    expect(quartersOf(made.path)).toEqual({ size: '100x100', colours: 'wgbr' })
  },
)

test('a part that reaches beyond the picture is cut, and one outside is refused', async () => {
  const { path, warnings } = await edit('jpg', { crop: { left: 150, width: 100, height: 50 } })
  expect(quartersOf(path).size).toBe('50x50')
  expect(warnings).toHaveLength(1)
  expect((await edit('jpg', { crop: { top: 50, height: 100 } })).warnings).toHaveLength(1)
  await expect(edit('jpg', { crop: { left: 200 } })).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
})

test('the same format, vector graphics, pages and animations are edited as well', async () => {
  const jpg = files.path('card.jpg')
  tool('convert', card, '-quality', '98', jpg)
  expect(quartersOf((await edit('jpg', { rotate: '180' }, jpg)).path).colours).toBe('wbgr')
  const svg = files.write(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="100" height="100" fill="#c00"/><rect x="100" width="100" height="100" fill="#00c"/></svg>',
    ),
    'svg',
  )
  expect(
    quartersOf((await edit('png', { crop: { left: 100 }, resize: { enabled: true, value: 50 } }, svg)).path),
  ).toEqual({ size: '50x50', colours: 'bbbb' })
  const gif = files.path('moving.gif')
  tool('convert', '-delay', '20', card, '(', card, '-flop', ')', gif)
  const { path } = await edit('webp', { crop: { left: 100 }, rotate: '90' }, gif)
  expect(identify(path)).toBe('WEBP 100x100')
  const { path: page } = await convertFile('document.jpg-to-pdf', jpg, { rotate: '90' })
  tool('pdftoppm', '-png', '-singlefile', '-r', '72', page, files.path('page'))
  expect(quartersOf(`${files.path('page')}.png`)).toEqual({ size: '100x200', colours: 'brwg' })
})

testFull('a JPEG that is only turned or cut between blocks loses nothing, and is upright', async () => {
  const path = files.path('blocks.jpg')
  tool('convert', card, '-crop', '192x96+4+2', '+repage', '-sampling-factor', '2x2', '-quality', '80', path)
  tool('exiftool', '-q', '-overwrite_original', '-n', '-Orientation=8', '-Artist=Someone', path)
  // Upright by a quarter turn back, which the edit takes back.
  const options = { rotate: '90', crop: { left: 32, top: 64 } }
  for (const [strip, artist] of [
    [true, ''],
    [false, 'Someone'],
  ] as const) {
    const made = await edit('jpg', { ...options, metadata: { strip } }, path)
    const theirs = files.path('theirs.jpg')
    tool('jpegtran', '-crop', '128x64+0+32', '-outfile', theirs, path)
    expect(output('djpeg', [made.path]).equals(output('djpeg', [theirs]))).toBe(true)
    expect(tool('exiftool', '-s3', '-n', '-Artist', '-Orientation', made.path).trim()).toBe(
      artist && `${artist}\n1`,
    )
  }
  // Another quality is a wish, and a part within blocks cannot be cut out.
  for (const other of [{ rotate: '90', quality: 50 }, { crop: { left: 3 } }]) {
    const made = await edit('jpg', other, path)
    expect(tool('exiftool', '-s3', '-YCbCrSubSampling', made.path)).toContain('4:2:0')
  }
})

testFull('light, colour and text', async () => {
  const grey = await edit('png', { tone: 'grey' })
  const pixels = decode(grey.path).data
  expect(pixels.every((value, at) => at % 4 === 3 || value === pixels[at - (at % 4)])).toBe(true)
  const mean = (path: string) =>
    Number(tool('convert', path, '-colorspace', 'Gray', '-format', '%[fx:mean]', 'info:'))
  const plain = mean(card)
  expect(mean((await edit('png', { adjust: { brightness: 60 } })).path)).toBeLessThan(plain * 0.85)
  expect(quartersOf((await edit('png', { tone: 'sepia', sharpen: true })).path).size).toBe('200x100')
  // Contrast leaves the middle as it is, and draws what is darker away from it.
  const greys = files.path('greys.png')
  tool('convert', '-size', '20x20', 'xc:gray(128)', 'xc:gray(100)', '+append', '-depth', '8', greys)
  const { data } = decode((await edit('png', { adjust: { contrast: 200 } }, greys)).path)
  expect([data[0], data[30 * 4]]).toEqual([128, 72])
  const difference = (path: string, area: string) =>
    Number(
      tool(
        'convert',
        card,
        path,
        '-compose',
        'difference',
        '-composite',
        '-crop',
        area,
        '-format',
        '%[fx:mean]',
        'info:',
      ),
    )
  const corner = await edit('png', { watermark: { text: 'REFILE Ω', position: 'southeast', opacity: 100 } })
  expect(difference(corner.path, '100x50+100+50')).toBeGreaterThan(0.005)
  expect(difference(corner.path, '100x50+0+0')).toBe(0)
  for (const edge of ['1x100+199+0', '200x1+0+99']) expect(difference(corner.path, edge)).toBe(0)
  const all = await edit('png', { watermark: { text: 'A', size: 5, repeat: true } })
  for (const area of ['100x50+0+0', '100x50+100+50'])
    expect(difference(all.path, area)).toBeGreaterThan(0.005)
  // A text longer than the picture is made smaller.
  await edit('png', { watermark: { text: 'W'.repeat(100), size: 100 } })
})

testFull('even edges, a border, a logo and a ground', async () => {
  const wide = files.path('wide.png')
  tool('convert', card, '-bordercolor', '#777', '-border', '30x7', wide)
  const trimmed = await edit('png', { trim: true, rotate: '90' }, wide)
  expect(quartersOf(trimmed.path)).toEqual({ size: '100x200', colours: 'brwg' })
  const even = files.path('even.png')
  tool('convert', '-size', '40x30', 'xc:#123', even)
  expect(quartersOf((await edit('webp', { trim: true }, even)).path).size).toBe('40x30')
  const thin = files.path('thin.png')
  tool('convert', '-size', '2x9', 'xc:#123', thin)
  expect(tool('identify', '-format', '%wx%h', (await edit('webp', { trim: true }, thin)).path)).toBe('2x9')
  const border = { width: 10, colour: '#00f' }
  for (const [target, options, size] of [
    ['webp', {}, '220x120'],
    ['jpg', { resize: { enabled: true, value: 100 } }, '120x70'],
    ['bmp', { crop: { left: 100 }, resize: { enabled: true, value: 50 } }, '70x70'],
  ] as const) {
    const { path } = await edit(target, { ...options, border })
    const { data, width, height } = decode(path)
    expect([target, `${width}x${height}`]).toEqual([target, size])
    for (const [x, y] of [
      [4, 4],
      [width - 5, height - 5],
    ] as const) {
      const [red = 255, green = 255, blue = 0] = data.subarray((y * width + x) * 4)
      expect([target, red < 40, green < 40, blue > 200]).toEqual([target, true, true, true])
    }
  }
  const drawn = files.path('logo.png')
  tool('convert', '-size', '40x20', 'xc:#000', drawn)
  const picture = `data:image/png;base64,${readFileSync(drawn).toString('base64')}`
  const logo = await edit('png', { watermark: { picture, position: 'northwest', size: 20, opacity: 50 } })
  // Black at one half over red, two pixels from the edges.
  const at = (x: number, y: number) => [
    ...decode(logo.path)
      .data.subarray((y * 200 + x) * 4)
      .subarray(0, 3),
  ]
  expect([at(1, 1), at(4, 4), at(41, 21), at(43, 23)]).toEqual([
    [204, 0, 0],
    [101, 0, 0],
    [101, 0, 0],
    [204, 0, 0],
  ])
  // A logo may be a vector graphic, whatever its address says.
  const square =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20H0z"/></svg>'
  const vector = `data:image/png;base64,${Buffer.from(square).toString('base64')}`
  const sharpLogo = await edit('png', {
    watermark: { picture: vector, position: 'northwest', size: 20, opacity: 50 },
  })
  expect([
    ...decode(sharpLogo.path)
      .data.subarray((10 * 200 + 20) * 4)
      .subarray(0, 3),
  ]).toEqual([101, 0, 0])
  const bad = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`
  await expect(edit('png', { watermark: { picture: bad } })).rejects.toThrow(/watermark/)
  const clear = files.path('clear.png')
  tool('convert', '-size', '8x8', 'xc:none', clear)
  const { path } = await edit('webp', { background: '#0f0' }, clear)
  expect([...decode(path).data.subarray(0, 4)]).toEqual([0, 255, 0, 255])
})
