import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeFull } from '../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { corpusFile, hasCorpus } from '../../../../../testing/fixtures/media.ts'
import { u16 } from '../../../../../testing/fixtures/numbers.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { bits, foreground, op, pict, text } from '../../../../../testing/pict.ts'
import images from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-pict-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Seen {
  width: number
  height: number
  rgb: Buffer
}

/** A picture as decoded by ImageMagick. */
function seen(path: string): Seen {
  const steps = [
    '-background',
    'white',
    '-flatten',
    '-depth',
    '8',
    '-colorspace',
    'sRGB',
    '-type',
    'TrueColor',
  ]
  const pnm = output('convert', [path, ...steps, 'ppm:-'])
  const [magic, size, peak] = pnm.toString('latin1', 0, 40).split('\n')
  expect([magic, peak]).toEqual(['P6', '255'])
  const [width, height] = size!.split(' ').map(Number)
  return {
    width: width!,
    height: height!,
    rgb: pnm.subarray(magic!.length + size!.length + peak!.length + 3),
  }
}

/** Mean colours of the quarters: top left, top right, bottom left, bottom right. */
function quarters({ width, height, rgb }: Seen): number[][] {
  const sums = Array.from({ length: 4 }, () => [0, 0, 0, 0])
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = sums[(y * 2 >= height ? 2 : 0) + (x * 2 >= width ? 1 : 0)]!
      for (let part = 0; part < 3; part++) sum[part]! += rgb[(y * width + x) * 3 + part]!
      sum[3]!++
    }
  }
  return sums.map(([r, g, b, count]) => [r! / count!, g! / count!, b! / count!])
}

const parsed = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))

describe('every target', () => {
  const path = join(folder, 'drawing.pict')
  writeFileSync(
    path,
    pict(
      { frame: [0, 0, 60, 100] },
      foreground([200, 30, 30]),
      op(0x31, u16(0, 0, 60, 50)),
      foreground([0, 0, 0]),
      text(55, 30, 'Text'),
      bits({ width: 40, height: 20, depth: 32, at: () => [20, 80, 220] }, { destination: [35, 55, 55, 95] }),
    ),
  )
  test.each(
    few(
      3,
      images
        // Icons have sizes of their own, and ImageMagick 6 reads neither JPEG XL, OpenEXR nor QOI.
        .filter(({ source, target }) => source === 'pict' && !/^(exr|icns|ico|jxl|qoi)$/.test(target))
        .map(({ target, job }) => [target, job]),
    ),
  )('%s', async (target, job) => {
    const { outputs } = await convertFile(job, path)
    expect(outputs).toHaveLength(1)
    const output = outputs[0]!.path
    if (target === 'pdf') {
      expect(execFileSync('pdfinfo', [output], { encoding: 'utf8' })).toMatch(/Pages:\s+1/)
      execFileSync('pdftoppm', ['-r', '96', '-png', '-singlefile', output, join(folder, 'page')])
    }
    const page = target === 'pdf' ? join(folder, 'page.png') : output
    const result = target === 'avif' ? seen(decodeAvif(output)) : seen(page)
    expect([result.width, result.height]).toEqual([200, 120])
    const at = (x: number, y: number) => [...result.rgb.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3)]
    for (const [place, wanted] of [
      [
        [40, 60],
        [200, 30, 30],
      ],
      [
        [150, 90],
        [20, 80, 220],
      ],
      [
        [180, 6],
        [255, 255, 255],
      ],
    ] as const) {
      for (const [part, value] of at(place[0], place[1]).entries()) {
        expect(Math.abs(value - wanted[part]!)).toBeLessThan(10)
      }
    }
  })

  function decodeAvif(file: string): string {
    const png = join(folder, 'avif.png')
    execFileSync('avifdec', [file, png], { stdio: 'ignore' })
    return png
  }

  test('resizing applies to the finished picture', async () => {
    const options = { resize: { enabled: true, mode: 'pixels', preset: 'custom', value: 100 } }
    const { path: output } = await convertFile('image.pict-to-png', path, options)
    const { width, height } = seen(output)
    expect([width, height]).toEqual([100, 60])
  })
})

/** What each file of the corpus shows (checked by eye), its size, and the mean colours of its quarters. */
const known: [name: string, shows: string, width: number, height: number, quarters: string][] = [
  ['5.pict', 'a grid of small squares in 4096 colours', 768, 768, '#a19675 #a1ac75 #a196ce #a1acce'],
  ['8.pict', 'fifteen frames within each other', 600, 600, '#dadada #dadada #dadada #dadada'],
  [
    '9.pict',
    'a photograph of an eye, in six strips without seams',
    622,
    437,
    '#916854 #73514c #855857 #7e5459',
  ],
  ['BLU.PCT', 'plain blue', 200, 144, '#0003fe #0003fe #0003fe #0003fe'],
  ['EDUC0052.pict', 'the death of Harold, from the tapestry', 2048, 1446, '#ece6df #e3ded7 #eadfd5 #e5d7cd'],
  ['FLAG_B24.PCT', 'fields of colour with their names', 124, 124, '#ef7828 #86ae49 #eb0000 #f07829'],
  ['J19.pict', 'a cat in a window, in three strips', 640, 480, '#3d3830 #877474 #5a5850 #908491'],
  ['P30946BDC.pict', 'a page of notes on film scenes', 587, 513, '#cdcccc #d8d8d8 #d0cccc #dbdbdb'],
  ['P564B1400.pict', 'a window “Customise Views”', 1745, 1022, '#dcdddf #dce0e4 #dedce0 #dfdee0'],
  ['Picture14.pict', 'an error message with one button', 404, 136, '#bcb6b6 #b7b7b8 #c2c2c2 #bfbfc0'],
  ['TRU256.PCT', 'four squares of 64 colours', 256, 64, '#b07020 #b070a0 #307020 #3070a0'],
  ['VENUS.PCT', 'a map of Venus in false colours', 300, 150, '#0a42dd #053bf7 #0332c4 #0748df'],
  ['cow.pict', 'a cow as a woodcut', 1574, 1096, '#71706b #959389 #a4a49f #80807a'],
  ['demo.pict', 'a world map, a list, lines and a title', 870, 528, '#d1ddcc #c6d6b2 #cde4e0 #dde9d5'],
  ['food.pct', 'a plate of food', 146, 194, '#987e63 #d1ac8e #a37e5f #937858'],
  ['mire16.pict', 'a test card of bars', 64, 64, '#4d6c5d #3b5b4b #cfc7c7 #cfc7c7'],
  ['qt_jpeg.pict', 'a pencil drawing', 500, 662, '#a2a2a2 #c2c2c2 #dcdcdc #dadada'],
  ['qt_mire.pict', 'the test card as JPEG', 64, 64, '#4d6c5b #3d5b4b #cec6c7 #cec6c7'],
  ['qt_png.pict', 'the same drawing', 500, 662, '#a2a2a2 #c2c2c2 #dcdcdc #dadada'],
]

/**
 * Files that ImageMagick reads correctly, and the permitted deviation (it spreads five bits per colour differently).
 */
const agreed: [name: string, bound: number][] = [
  ['BLU.PCT', 0.01],
  ['FLAG_B24.PCT', 0.01],
  ['J19.pict', 0.5],
  ['TRU256.PCT', 0.01],
  ['VENUS.PCT', 0.01],
  ['mire16.pict', 5],
  ['qt_mire.pict', 0.5],
]

describeFull('corpus', hasCorpus, () => {
  test.each(known)('%s: %s', async (name, _, width, height, means) => {
    const { path, warnings } = await convertFile('image.pict-to-png', corpusFile(`pict/${name}`))
    const result = seen(path)
    expect([result.width, result.height]).toEqual([width, height])
    expect(warnings).toEqual([])
    for (const [i, mean] of quarters(result).entries()) {
      const wanted = parsed(means.split(' ')[i]!)
      for (const [part, value] of mean.entries()) expect(Math.abs(value - wanted[part]!)).toBeLessThan(3)
    }
  })

  test.each(agreed)('%s matches ImageMagick', async (name, bound) => {
    const { path } = await convertFile('image.pict-to-png', corpusFile(`pict/${name}`))
    const [ours, theirs] = [seen(path), seen(`pict:${corpusFile(`pict/${name}`)}`)]
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height])
    let sum = 0
    for (let i = 0; i < ours.rgb.length; i++) sum += Math.abs(ours.rgb[i]! - theirs.rgb[i]!)
    expect(sum / ours.rgb.length).toBeLessThan(bound)
  })

  test('the same drawing, stored in two ways', async () => {
    const [png, jpeg] = await Promise.all(
      ['qt_png', 'qt_jpeg'].map(async name => {
        const { path } = await convertFile('image.pict-to-png', corpusFile(`pict/${name}.pict`))
        return seen(path).rgb
      }),
    )
    let sum = 0
    for (let i = 0; i < png!.length; i++) sum += Math.abs(png![i]! - jpeg![i]!)
    expect(sum / png!.length).toBeLessThan(10)
  })
})
