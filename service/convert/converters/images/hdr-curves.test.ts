/** Pictures in PQ and HLG, as cameras write them: AVIF and JPEG XL hold them, and others show them as ordinary screens do. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few } from '../../../../testing/fixtures/full.ts'
import { heicOf } from '../../../../testing/fixtures/heif.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { output } from '../../../../testing/fixtures/programs.ts'
import { ivfFrameHeader, ivfHeader } from '../../engines/pictures/avif/av1.ts'
import { factsOf } from '../../engines/pictures/sharp/facts.ts'

const files = testFiles('hdr-curves')

const EDGE = 64

const photos = new Map<number, string>()

/** A grey wedge over all signals from left to right, of 10 bits in BT.2020. */
function photo(transfer: number): string {
  const written = photos.get(transfer)
  if (written) return written
  const data = new Uint8Array(EDGE * EDGE * 3).map((_, at) => 4 * (Math.floor(at / 3) % EDGE))
  const nclx = { primaries: 9, transfer, matrix: 9, fullRange: true }
  const recipe = { pixelFormat: 'yuv420p10', nclx, matrix: 'bt2020', x265: 'crf=2' }
  const path = files.write(heicOf({ width: EDGE, height: EDGE, data }, recipe), 'heic')
  photos.set(transfer, path)
  return path
}

const convert = (target: string, path: string, options: Record<string, unknown> = {}) =>
  convertFile(`image.${path.split('.').at(-1)}-to-${target}`, path, { quality: 95, ...options })

/** The first row as ffmpeg decodes it. */
const wedgeOf = (path: string) =>
  [...output('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'])].slice(0, EDGE)

function expectWedge(path: string) {
  for (const [column, signal] of wedgeOf(path).entries())
    expect(Math.abs(signal - 4 * column), `column ${column}`).toBeLessThanOrEqual(4)
}

const probed = (path: string) =>
  tool('ffprobe', '-v', 'error', '-show_entries', 'stream=pix_fmt,color_transfer,color_primaries', path)

const LOST = [expect.stringContaining('HDR')]

describe.each(
  few<[string, number, string]>(1, [
    ['PQ', 16, 'smpte2084'],
    ['HLG', 18, 'arib-std-b67'],
  ]),
)('HEIC in %s', (_, transfer, name) => {
  test('stays so in AVIF, with 10 bits, and is known from the first boxes of both', async () => {
    const { path, warnings } = await convert('avif', photo(transfer))
    for (const known of [photo(transfer), path])
      expect(await factsOf(known)).toMatchObject({ hdr: false, hdrCurve: true })
    expect(warnings).toEqual([])
    const info = tool('avifdec', '--info', path)
    expect(info).toMatch(/Bit Depth\s*: 10/)
    expect(info).toMatch(/Color Primaries: 9/)
    expect(info).toMatch(new RegExp(`Transfer Char\\.\\s*: ${transfer}`))
    expect(tool('heif-info', path)).toContain('color profile: nclx')
    expect(tool('exiftool', '-n', '-s3', '-TransferCharacteristics', path).trim()).toBe(String(transfer))
    // Players of video read the stream.
    const file = readFileSync(path)
    const coded = file.subarray(file.indexOf('mdat') + 4)
    const ivf = [ivfHeader(EDGE, EDGE), ivfFrameHeader(coded.length, 0), coded]
    const stream = files.write(Buffer.concat(ivf), 'ivf')
    expect(probed(stream)).toMatch(new RegExp(`color_transfer=${name}\ncolor_primaries=bt2020`))
    const decoded = files.path('decoded.png')
    tool('avifdec', '-d', '16', path, decoded)
    expectWedge(decoded)
    // What was kept is kept again, and mapped where that is asked for.
    expect((await convert('avif', path, { crop: { width: 40 } })).warnings).toEqual([])
    const mapped = await convert('avif', path, { hdr: 'sdr' })
    expect(mapped.warnings).toEqual([])
    expect(tool('avifdec', '--info', mapped.path)).toMatch(/Transfer Char\.\s*: 13/)
    expect(await factsOf(mapped.path)).not.toHaveProperty('hdrCurve')
  })

  test('stays so in JPEG XL', async () => {
    const { path, warnings } = await convert('jxl', photo(transfer), { quality: 100 })
    expect(warnings).toEqual([])
    expect(probed(path)).toMatch(new RegExp(`color_transfer=${name}\ncolor_primaries=bt2020`))
    expectWedge(path)
  })

  test.each(few(2, ['jpg', 'png', 'webp', 'tiff', 'pdf', 'gif', 'bmp']))(
    'is mapped in %s, with a warning',
    async target => {
      const { path, warnings } = await convert(target, photo(transfer))
      expect(warnings).toEqual(LOST)
      if (target === 'pdf') return
      const wedge = wedgeOf(path)
      // Shadows are those of the screen, and nothing is brighter than its white.
      expect(wedge.toSorted((a, b) => a - b)).toEqual(wedge)
      expect(wedge.at(-1)).toBe(255)
      expect(Math.max(...wedge.slice(0, 8))).toBeLessThan(20)
    },
  )
})

test.each(few(1, ['avif', 'jxl']))(
  'what is painted has the colours of ordinary screens in %s',
  async target => {
    const painted = await convert(target, photo(16), { border: { width: 4, colour: '#ffffff' } })
    expect(painted.warnings).toEqual(LOST)
    expect(probed(painted.path)).not.toContain('smpte2084')
    if (target !== 'avif') return
    expect((await convert(target, photo(16), { background: '#ffffff' })).warnings).toEqual(LOST)
  },
)
