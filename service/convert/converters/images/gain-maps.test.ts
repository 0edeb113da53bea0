import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { heicOf } from '../../../../testing/fixtures/heif.ts'
import { exif, tool } from '../../../../testing/fixtures/media.ts'
import { decode, identify, rawPixels } from '../../../../testing/pictures.ts'
import { withGainMap } from '../../engines/pictures/formats/gain-map.ts'
import { segment } from '../../engines/pictures/formats/jpeg.ts'
import { factsOf } from '../../engines/pictures/sharp/facts.ts'
import { type Sharp, sharp } from '../../engines/pictures/sharp/load.ts'

const files = testFiles('gain-maps')

const edit = (target: string, options: Record<string, unknown>, path: string) =>
  convertFile(`image.${path.split('.').at(-1)}-to-${target}`, path, options)

/** A photo with a gain map, as phones take it: the parameters are those that sharp writes, and the map is brighter at the upper left. */
async function phonePhoto(): Promise<string> {
  const grey = new Float32Array(256 * 128 * 3).fill(0.5)
  const picture = sharp(grey, { raw: { width: 256, height: 128, channels: 3 } }) as Sharp & {
    withGainMap(): Sharp
  }
  const photo = await picture.withGainMap().jpeg({ quality: 95 }).toBuffer()
  const { gainMap } = await sharp(photo).metadata()
  const drawn = files.path('map.jpg')
  tool('convert', '-size', '64x32', 'radial-gradient:white-black', '-distort', 'SRT', '20,10 1 0 10,6', drawn)
  const parameters = gainMap!.image.subarray(2, gainMap!.image.indexOf(Buffer.from('ffdb', 'hex')))
  const bytes = readFileSync(drawn)
  const map = Buffer.concat([bytes.subarray(0, 2), parameters, bytes.subarray(2)])
  return files.write(withGainMap(await sharp(photo).jpeg().toBuffer(), map), 'jpg')
}

/** Size of the gain map, the second picture of the file, as ExifTool finds it. */
function gainMapOf(path: string): string {
  const map = execFileSync('exiftool', ['-b', '-MPImage2', path])
  return map.length === 0 ? 'none' : identify(files.write(map, 'jpg')).replace('JPEG ', '')
}

/** The gain map of a file, as ExifTool finds it, in 8 × 8 greys. */
function mapOf(path: string, ...change: string[]): number[] {
  const map = files.write(execFileSync('exiftool', ['-b', '-MPImage2', path]), 'jpg')
  return [...rawPixels(map, ...change, '-resize', '8x8!', '-depth', '8')].filter((_, at) => at % 4 === 0)
}

test('the gain map of Adobe, which differs by colour, stays in JPEG and AVIF', async () => {
  const seq = (...values: number[]) =>
    `<rdf:Seq>${values.map(value => `<rdf:li>${value}</rdf:li>`).join('')}</rdf:Seq>`
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:BaseRenditionIsHDR="False" hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="1.3"><hdrgm:GainMapMin>${seq(-0.25, -0.26, -0.28)}</hdrgm:GainMapMin><hdrgm:GainMapMax>${seq(1.27, 1.28, 1.29)}</hdrgm:GainMapMax><hdrgm:Gamma>${seq(0.95, 0.94, 0.92)}</hdrgm:Gamma></rdf:Description></rdf:RDF></x:xmpmeta>`
  const jpeg = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#789' } })
      .jpeg()
      .toBuffer()
  const plain = await jpeg(64, 32)
  const described = segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`))
  const map = Buffer.concat([plain.subarray(0, 2), described, plain.subarray(2)])
  const path = files.write(withGainMap(await jpeg(256, 128), map), 'jpg')
  expect(await factsOf(path)).toMatchObject({ hdr: true })
  const smaller = await edit('jpg', { quality: 60, metadata: { strip: false } }, path)
  expect(gainMapOf(smaller.path)).toBe('64x32')
  const { path: avif } = await edit('avif', {}, path)
  expect(readFileSync(avif).includes('tmap')).toBe(true)
  expect((await edit('png', {}, path)).warnings).toContainEqual(expect.stringContaining('HDR'))
})

testFull('the brighter rendition of a phone stays in JPEG, and is cut and turned with it', async () => {
  const path = await phonePhoto()
  const upright = mapOf(path)
  expect(new Set(upright).size).toBeGreaterThan(1)
  const share = 256 / Number(gainMapOf(path).split('x')[0])
  const wanted = { quality: 80 }
  for (const [options, size, change] of [
    [{ quality: 60 }, [256, 128], []],
    [{ resize: { enabled: true, value: 128 } }, [256, 128], []],
    [{ crop: { left: 64, width: 128 }, ...wanted }, [128, 128], ['-crop', '50%x100%+25%+0']],
    [{ crop: { left: 64 }, resize: { enabled: true, width: 64, height: 64, fit: 'cover' } }, [128, 128], []],
    [{ smartCompression: { enabled: true }, metadata: { strip: false } }, [256, 128], []],
    [{ rotate: '90', ...wanted }, [128, 256], ['-rotate', '90']],
    [{ rotate: '270', flip: 'vertical' }, [128, 256], ['-rotate', '270', '-flip']],
    [{ rotate: '180', metadata: { strip: false } }, [256, 128], ['-rotate', '180']],
    [{ tone: 'grey' }, [256, 128], []],
  ] as const) {
    const made = await edit('jpg', options, path)
    expect(made.warnings.filter(warning => /HDR/.test(warning))).toEqual([])
    expect([options, gainMapOf(made.path)]).toEqual([options, size.map(edge => edge / share).join('x')])
    if (!('crop' in options)) {
      const [ours, theirs] = [mapOf(made.path), mapOf(path, ...change)]
      const far = ours.filter((value, at) => Math.abs(value - theirs[at]!) > 6)
      expect([options, far]).toEqual([options, []])
    }
    expect((await sharp(made.path).metadata()).gainMap?.image.length).toBeGreaterThan(0)
    expect(readFileSync(made.path).toString('latin1').split('MPF\0')).toHaveLength(2)
    // Both files have the segment of ISO 21496-1.
    expect(readFileSync(made.path).toString('latin1').split('urn:iso:std:iso:ts:21496:-1')).toHaveLength(3)
  }
  expect(gainMapOf((await edit('jpg', { hdr: 'sdr' }, path)).path)).toBe('none')
  for (const target of ['webp', 'png', 'gif', 'bmp']) {
    expect((await edit(target, {}, path)).warnings).toContainEqual(expect.stringContaining('HDR'))
  }
  tool('exiftool', '-q', '-overwrite_original', '-n', '-Orientation=6', path)
  const { path: turned, warnings } = await edit('jpg', { quality: 60 }, path)
  expect(warnings).toEqual([])
  expect(identify(turned)).toBe('JPEG 128x256')
  expect(gainMapOf(turned)).toBe([128 / share, 256 / share].join('x'))
})

const linear = (level: number) => (level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4)

/** How many times as bright the other rendition of a JPEG is at some places, by what ExifTool finds in it (ISO 21496-1, 6.3). */
function brightening(path: string, ...places: number[]): number[] {
  const map = files.write(execFileSync('exiftool', ['-b', '-MPImage2', path]), 'jpg')
  const { GainMapMin = '0', GainMapMax, Gamma = '1' } = exif(map)
  const { width, height, data } = decode(map)
  const { width: whole } = decode(path)
  return places.map(left => {
    const at = (Math.floor(height / 2) * width + Math.floor((left * width) / whole)) * 4
    const share = (data[at]! / 255) ** (1 / Number(Gamma))
    return 2 ** (Number(GainMapMin) + share * (Number(GainMapMax) - Number(GainMapMin)))
  })
}

describeFull('a HEIC of an iPhone', true, () => {
  const size = { width: 128, height: 64 }
  const data = new Uint8Array(128 * 64 * 3).fill(120)
  // Nothing, half and all of the headroom, from the left.
  const levels = [0, 188, 255]
  const pixels = Uint8Array.from(
    { length: 128 * 64 },
    (_, at) => levels[Math.min(2, Math.floor((at % 128) / 42.7))]!,
  )
  const places = [20, 64, 108]
  const photo = (gainMap: object, extra = {}) =>
    files.write(heicOf({ data, ...size }, { gainMap: { pixels, ...gainMap }, ...extra }), 'heic')
  const apple = (headroom: number) => levels.map(level => 1 + (headroom - 1) * linear(level / 255))

  test('is as bright as before in a JPEG, also by way of AVIF', async () => {
    const path = photo({ headroom: 5 })
    const made = await edit('jpg', {}, path)
    expect(made.warnings).toEqual([])
    const expected = apple(5)
    for (const [index, times] of brightening(made.path, ...places).entries())
      expect(times / expected[index]!).toBeCloseTo(1, 1)
    const avif = await edit('avif', {}, path)
    expect(avif.warnings).toEqual([])
    expect(tool('avifdec', '--info', avif.path)).toMatch(/Resolution +: 128x64/)
    expect(tool('heif-info', avif.path)).toMatch(/brands: avif, mif1, miaf, tmap/)
    const back = await edit('jpg', {}, avif.path)
    expect(back.warnings).toEqual([])
    for (const [index, times] of brightening(back.path, ...places).entries())
      expect(times / expected[index]!).toBeCloseTo(1, 1)
    expect((await edit('jpg', { hdr: 'sdr' }, path)).warnings).toEqual([])
    expect(gainMapOf((await edit('jpg', { hdr: 'sdr' }, path)).path)).toBe('none')
    expect((await edit('webp', {}, path)).warnings).toContainEqual(expect.stringContaining('HDR'))
  })

  test('says in its maker note how bright it is', async () => {
    // Entries 33 and 48 of the note: 1.5 and 0.005.
    const note = Buffer.concat([
      Buffer.from('Apple iOS\0\0\x01MM\0\x02', 'latin1'),
      Buffer.from('0021000a000000010000002c' + '0030000a0000000100000034' + '00000000', 'hex'),
      Buffer.from('0000000f0000000a' + '00000005000003e8', 'hex'),
    ])
    const length = note.length.toString(16).padStart(8, '0')
    const head = `4d4d002a00000008${'0001'}${'87690004000000010000001a'}00000000${'0001'}${`927c0007${length}0000002c`}00000000`
    const path = photo({}, { exif: Buffer.concat([Buffer.from(head, 'hex'), note]) })
    expect(tool('exiftool', '-s3', '-n', '-Apple:HDRHeadroom', '-Apple:HDRGain', path)).toBe('1.5\n0.005\n')
    const { path: made } = await edit('jpg', {}, path)
    // As Apple computes it for such values.
    const expected = apple(2 ** (-70 * 0.005 + 3))
    for (const [index, times] of brightening(made, ...places).entries())
      expect(times / expected[index]!).toBeCloseTo(1, 1)
  })
})

testFull(
  'the brighter rendition of a JPEG goes into JPEG XL, and stays in AVIF that is cut and turned',
  async () => {
    const path = await phonePhoto()
    const jxl = await edit('jxl', {}, path)
    expect(jxl.warnings).toEqual([])
    expect(tool('exiftool', '-s3', '-FileType', '-ImageSize', jxl.path)).toBe('JXL\n256x128\n')
    expect(
      tool('ffprobe', '-v', 'error', '-show_entries', 'stream=width', '-of', 'csv=p=0', jxl.path),
    ).toMatch(/^256/)
    const bytes = readFileSync(jxl.path)
    const at = bytes.indexOf('jhgm') + 4
    // Version, length of the parameters, the parameters, no colours, and a codestream.
    const codestream = bytes.subarray(
      at + 3 + bytes.readUInt16BE(at + 1) + 5,
      at - 8 + bytes.readUInt32BE(at - 8),
    )
    const map = files.write(codestream, 'jxl')
    expect(tool('ffprobe', '-v', 'error', '-show_entries', 'stream=width', '-of', 'csv=p=0', map)).toMatch(
      /^\d+/,
    )
    const avif = await edit('avif', {}, path)
    const turned = await edit('jpg', { rotate: '90', quality: 80 }, avif.path)
    const [ours, theirs] = [mapOf(turned.path), mapOf(path, '-rotate', '90')]
    expect(ours.filter((value, index) => Math.abs(value - theirs[index]!) > 12)).toEqual([])
  },
)
