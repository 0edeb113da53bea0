import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { corpus, hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { psnr } from '../../../../../testing/fixtures/pixels.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'

const files = testFiles('magick')
const source = files.path('source.png')
const formats = ['dds', 'jp2', 'jxl', 'qoi', 'tga']

/** Programs that write the formats. */
const writers: Record<string, readonly [program: string, ...args: string[]]> = {
  dds: ['convert', source, '-define', 'dds:compression=none'],
  jp2: ['convert', source, '-quality', '100'],
  qoi: ['ffmpeg', '-v', 'error', '-i', source],
  tga: ['ffmpeg', '-v', 'error', '-i', source],
}

beforeAll(() => {
  execFileSync('convert', ['-size', '64x40', 'gradient:red-blue', '-depth', '8', source])
})

test.each(few(2, Object.keys(writers)))('%s has the same pixels as a PNG', async format => {
  const [program, ...args] = writers[format]!
  const path = files.path(`picture.${format}`)
  execFileSync(program, [...args, path])
  const made = await convertFile(`image.${format}-to-png`, path)
  expect(made.warnings).toEqual([])
  expect(psnr(onWhite(decode(made.path)), onWhite(decode(source)))).toBeGreaterThan(36)
})

test.each(formats)('%s that holds something else fails with the right code', async format => {
  const path = files.write(readFileSync(source).subarray(0, 60), format)
  await expect(convertFile(`image.${format}-to-jpg`, path)).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

test.each([
  ['dxt1', 72],
  ['dxt5', 78],
  ['none', 91],
])(
  'a DDS of %s that is marked as sRGB has the same pixels as one that is not',
  async (compression, number) => {
    const path = files.path('old.dds')
    execFileSync('convert', [
      source,
      '-alpha',
      'set',
      '-channel',
      'A',
      '-evaluate',
      'set',
      '60%',
      '-define',
      `dds:compression=${compression}`,
      '-define',
      'dds:mipmaps=0',
      path,
    ])
    const old = readFileSync(path)
    const extended = Buffer.concat([old.subarray(0, 128), Buffer.alloc(20), old.subarray(128)])
    // A name in place of masks, and a plane picture of this number.
    extended.fill(0, 80, 108).writeUInt32LE(4, 80)
    extended.write('DX10', 84, 'latin1')
    for (const [index, value] of [number, 3, 0, 1].entries()) extended.writeUInt32LE(value, 128 + 4 * index)
    const [made, wanted] = await Promise.all(
      [files.write(extended, 'dds'), path].map(each => convertFile('image.dds-to-png', each)),
    )
    expect(decode(made!.path).data).toEqual(decode(wanted!.path).data)
  },
)

testFull('a DDS of GIMP with red before blue has the colours of one with blue before red', async () => {
  const path = files.path('blue-first.dds')
  const plain = ['-define', 'dds:compression=none', '-define', 'dds:mipmaps=0']
  execFileSync('convert', [source, '-alpha', 'set', ...plain, path])
  const file = readFileSync(path)
  // Red and blue change places, and so do their masks.
  file.subarray(128).swap32()
  for (let at = 128; at < file.length; at += 4)
    file.subarray(at, at + 4).set([...file.subarray(at + 1, at + 4), file[at]!])
  const masks = [file.readUInt32LE(92), file.readUInt32LE(100)]
  file.writeUInt32LE(masks[1]!, 92)
  file.writeUInt32LE(masks[0]!, 100)
  const made = await Promise.all(
    [files.write(file, 'dds'), path].map(each => convertFile('image.dds-to-png', each)),
  )
  expect(decode(made[0]!.path).data).toEqual(decode(source).data)
  expect(decode(made[1]!.path).data).toEqual(decode(source).data)
})

test('a texture of heights (BC4) is grey', async () => {
  const file = Buffer.alloc(136)
  file.write('DDS |\0\0\0\x07\x10\x08', 'latin1')
  for (const [at, value] of Object.entries({ 12: 4, 16: 4, 20: 8, 76: 32, 80: 4, 108: 0x1000 }))
    file.writeUInt32LE(value, Number(at))
  file.write('ATI1', 84)
  // Two heights, of which the sixteen pixels of a block take the first.
  file.set([200, 100], 128)
  const { path } = await convertFile('image.dds-to-png', files.write(file, 'dds'))
  expect(tool('identify', '-format', '%wx%h %[pixel:p{3,2}]', path)).toMatch(/^4x4 s?(rgba?|gray)\(200\b/)
})

/** The source with an opacity that rises from left to right. */
function clear(...colours: string[]): string {
  const path = files.path('clear.png')
  tool('convert', source, ...colours, '-alpha', 'set', '-channel', 'A', '-fx', 'i/w', path)
  return path
}

async function expectOpacity(path: string, wanted: Buffer): Promise<void> {
  expect(new Set(wanted.filter((_, at) => at % 4 === 3)).size).toBeGreaterThan(30)
  const { path: made } = await convertFile(`image.${extname(path).slice(1)}-to-png`, path)
  expect(Buffer.from(decode(made).data)).toEqual(wanted)
}

test.each(
  onlyFull([
    ['grey', 'ya8', ['-colorspace', 'Gray']],
    ['coloured', 'rgba', []],
  ]),
)('a %s JPEG 2000 of ffmpeg keeps its transparency', async (name, format, colours) => {
  const path = files.path(`${name}.jp2`)
  tool(
    'ffmpeg',
    '-v',
    'error',
    '-y',
    '-i',
    clear(...colours),
    '-pix_fmt',
    format,
    '-c:v',
    'libopenjpeg',
    path,
  )
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-']
  await expectOpacity(path, execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...raw]))
})

test.each(few(1, ['in runs', 'plain']))('a grey TGA keeps its transparency, %s', async kind => {
  const grey = execFileSync('convert', [clear('-colorspace', 'Gray'), '-depth', '8', 'GRAYA:-'])
  const header = Buffer.from([2, 0, kind === 'plain' ? 3 : 11, ...Array(9).fill(0), 64, 0, 40, 0, 16, 0x28])
  const wanted: number[] = []
  const rows = Array.from({ length: 40 }, (_, row) => {
    // The last four of a row are alike.
    const [different, alike] = [grey.subarray(row * 128, row * 128 + 120), grey.subarray(0, 2)]
    const plain = Buffer.concat([different, alike, alike, alike, alike])
    for (let at = 0; at < plain.length; at += 2)
      wanted.push(plain[at]!, plain[at]!, plain[at]!, plain[at + 1]!)
    return kind === 'plain' ? plain : Buffer.concat([Buffer.of(59), different, Buffer.of(128 + 3), alike])
  })
  const path = files.write(Buffer.concat([header, Buffer.from('id'), ...rows]), 'tga')
  await expectOpacity(path, Buffer.from(wanted))
})

testFull('a DDS whose pixels are stored in an unknown way is not called damaged', async () => {
  const path = files.path('unknown.dds')
  execFileSync('convert', [source, '-define', 'dds:compression=dxt1', path])
  const bytes = readFileSync(path)
  bytes.write('ATC ', 84, 'latin1')
  await expect(convertFile('image.dds-to-png', files.write(bytes, 'dds'))).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

test
  .runIf(hasCorpus)
  .each(formats.flatMap(format => corpus(format).map(path => [format, basename(path), path] as const)))(
  '%s of the world is read: %s',
  async (format, _name, path) => {
    const made = await convertFile(`image.${format}-to-png`, path).catch(error => error)
    if (made instanceof Error)
      expect(made).toMatchObject({ code: `jobs.${format === 'dds' ? 'unsupported' : 'corrupt'}_input` })
    else if (format === 'tga' || format === 'jp2') {
      const own = files.path('judged.png')
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', path, '-update', '1', '-pix_fmt', 'rgba', own])
      expect(psnr(onWhite(decode(made.path)), onWhite(decode(own)))).toBeGreaterThan(25)
    } else expect(execFileSync('identify', [made.path]).toString()).toContain('PNG')
  },
)

/** Light of a byte of sRGB, and the other way round (IEC 61966-2-1). */
const lightOf = (byte: number) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4)
const byteOf = (light: number) =>
  Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))

test.each(
  few(1, [
    [
      'in Display P3',
      'C83C28',
      'format=rgb24,setparams=color_primaries=smpte432:color_trc=iec61966-2-1',
      () => {
        const [red, green, blue] = [200, 60, 40].map(lightOf) as [number, number, number]
        // The matrix of CSS Color 4 from there to sRGB.
        return [
          1.2249 * red - 0.2249 * green,
          1.042 * green - 0.042 * red,
          1.0983 * blue - 0.0197 * red - 0.0786 * green,
        ].map(byteOf)
      },
    ],
    [
      'in grey of linear light',
      '404040',
      'format=gray,setparams=color_primaries=bt709:color_trc=linear',
      () => Array<number>(3).fill(byteOf(64 / 255)),
    ],
  ]),
)('a JPEG XL %s has its colours', async (name, colour, filter, wanted) => {
  const path = files.path(`${name}.jxl`)
  const coding = ['-frames:v', '1', '-c:v', 'libjxl', '-distance', '0', '-f', 'image2', '-update', '1']
  const drawn = ['-f', 'lavfi', '-i', `color=c=0x${colour}`, '-vf', filter]
  tool('ffmpeg', '-v', 'error', ...drawn, ...coding, path)
  const { path: made } = await convertFile('image.jxl-to-png', path)
  const shown = execFileSync('convert', [made, '-crop', '1x1+9+9', '-depth', '8', 'rgb:-'])
  for (const [at, value] of wanted().entries()) expect(Math.abs(shown[at]! - value)).toBeLessThan(3)
})
