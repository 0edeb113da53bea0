import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { few, isFull } from '../../../../../testing/fixtures/full.ts'
import { judge, lively, make, mediaFolder, tool } from '../../../../../testing/fixtures/media.ts'
import { seeded } from '../../../../../testing/fixtures/pixels.ts'
import { flacWith } from '../../../../../testing/flac.ts'
import { readFlac } from './flac.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SAMPLES = 2 * 44_100

/** A file with this bit depth, made by flac itself. */
function encoded(bits: number, ...options: string[]): string {
  const [width, sign] =
    bits <= 8 ? [8, 'unsigned'] : bits <= 16 ? [16, 'signed'] : bits <= 24 ? [24, 'signed'] : [32, 'signed']
  const codec = width === 8 ? 'pcm_u8' : `pcm_s${width}le`
  const wav = make(at(`${bits}.wav`), ...lively(2), '-c:a', codec)
  const raw = at(`${bits}.raw`)
  tool('sox', wav, raw)
  const path = at(`${bits}${options.join('')}.flac`)
  tool(
    'flac',
    ...['-s', '-f', '--force-raw-format', '--endian=little', `--sign=${sign}`, '--channels=2'],
    ...[`--bps=${bits}`, '--sample-rate=44100', ...options, raw, '-o', path],
  )
  return path
}

describe('describes what flac encodes', () => {
  const encodings: [bits: number, options: string[]][] = [
    [16, []],
    [16, ['--blocksize=1000']],
    [16, ['-8']],
    [16, ['-0']],
    [24, []],
    [32, []],
  ]
  it.each(few(2, encodings))('in %i bits with %j', async (bits, options) => {
    const wanted = { bits, channels: 2, sampleRate: 44_100, promised: SAMPLES, present: SAMPLES }
    expect(await readFlac(encoded(bits, ...options))).toMatchObject({ ...wanted, plain: bits <= 24 })
  })
})

describe('reads unusual files', () => {
  const good = () => readFileSync(encoded(16))

  it('of which ffmpeg cannot read all', async () => {
    const changed = flacWith(good(), blocks => [[1, Buffer.alloc(10)], ...blocks.slice(1)])
    writeFileSync(at('no-info.flac'), changed)
    expect(await readFlac(at('no-info.flac'))).toMatchObject({ plain: false, present: SAMPLES })
  })

  it('the length, whatever the header says, also before an ID3 tag', async () => {
    const tag = Buffer.alloc(128)
    tag.write('TAG')
    for (const [name, samples, behind] of [
      ['short', 100, Buffer.alloc(0)],
      ['long', 44_100 * 3600, tag],
    ] as const) {
      const path = at(`${name}.flac`)
      const changed = flacWith(
        good(),
        blocks => blocks,
        info => info.writeUInt32BE(samples, 14),
      )
      writeFileSync(path, Buffer.concat([changed, behind]))
      expect(await readFlac(path)).toMatchObject({ promised: samples, present: SAMPLES, plain: true })
    }
  })

  it('up to where it was truncated', async () => {
    const bytes = good()
    writeFileSync(at('cut.flac'), bytes.subarray(0, bytes.length / 2))
    const flac = await readFlac(at('cut.flac'))
    expect(flac).toMatchObject({ promised: SAMPLES })
    // Whole frames of 4096 samples.
    expect(flac!.present! % 4096).toBe(0)
    const decoded = at('cut.wav')
    judge('flac', '-d', '-s', '-f', '-F', at('cut.flac'), '-o', decoded)
    expect(Number(tool('soxi', '-s', decoded))).toBeGreaterThanOrEqual(flac!.present!)
    expect(flac!.present!).toBeGreaterThan(SAMPLES / 4)
  })
})

it('handles damage', async () => {
  const good = readFileSync(encoded(16))
  for (let seed = 1; seed <= (isFull ? 20 : 5); seed++) {
    const random = seeded(seed)
    const bytes = Buffer.from(good)
    for (let count = 0; count < 20; count++) bytes[random(bytes.length)] = random(256)
    writeFileSync(at('damaged.flac'), bytes)
    const found = await readFlac(at('damaged.flac'))
    if (found?.present) expect(found.present).toBeLessThanOrEqual(SAMPLES)
  }
  const noise = Array.from({ length: 100_000 }, (_, nth) => (nth * 2_654_435_761) >>> 11)
  writeFileSync(at('noise.flac'), Buffer.from(noise))
  expect(await readFlac(at('noise.flac'))).toBeNull()
})
