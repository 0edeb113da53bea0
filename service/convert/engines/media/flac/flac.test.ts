import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { flacBlocks, flacWith } from '../../../../../testing/flac.ts'
import { isFull, kinds } from '../../../../../testing/samples/full.ts'
import { judge, lively, make, mediaFolder, tool } from '../../../../../testing/samples/media.ts'
import { seeded } from '../../../../../testing/samples/pixels.ts'
import { decodeFlac, readFlac, writtenBits } from './flac.ts'

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

/** MD5 of the samples, as flac decodes them. */
function hashByFlac(path: string): string {
  const raw = at('decoded.raw')
  tool('flac', '-d', '-s', '-f', '--force-raw-format', '--endian=little', '--sign=signed', '-o', raw, path)
  return createHash('md5').update(readFileSync(raw)).digest('hex')
}

async function decode(path: string) {
  const flac = await readFlac(path)
  if (!flac) return null
  const hash = createHash('md5')
  let [bytes, damaged] = [0, 0]
  for await (const part of decodeFlac(path, flac, () => damaged++)) {
    hash.update(part)
    bytes += part.length
  }
  return { flac, damaged, samples: bytes / flac.channels / (writtenBits(flac) / 8), hash: hash.digest('hex') }
}

describe('decodes what flac encodes', () => {
  const encodings: [bits: number, options: string[]][] = [
    [16, []],
    [16, ['-8']],
    [16, ['-0']],
    [16, ['--lax', '-l', '32', '-e', '-p']],
    [16, ['--blocksize=1000']],
    [24, []],
    [32, []],
    [32, ['-8']],
  ]
  it.each(kinds(encodings, ([, [option]]) => option === undefined || /^-0|^--blocksize/.test(option)))(
    'in %i bits with %j, sample by sample',
    async (bits, options) => {
      const path = encoded(bits, ...options)
      expect(await decode(path)).toMatchObject({
        flac: {
          bits,
          channels: 2,
          sampleRate: 44_100,
          promised: SAMPLES,
          present: SAMPLES,
          plain: bits <= 24,
        },
        ...{ damaged: 0, samples: SAMPLES, hash: hashByFlac(path) },
      })
    },
  )

  it.each(kinds([1, 3, 6, 8], count => count === 1 || count === 8))('with %i channels', async count => {
    const tones = Array.from({ length: count }, (_, nth) => `0.3*sin(2*PI*${200 + 100 * nth}*t)`).join('|')
    const path = make(at(`${count}.flac`), '-f', 'lavfi', '-i', `aevalsrc=${tones}:s=48000:d=1`)
    expect(await decode(path)).toMatchObject({ damaged: 0, samples: 48_000, hash: hashByFlac(path) })
  })
})

describe('reads unusual files', () => {
  let good: string
  beforeAll(() => {
    good = encoded(16)
  })

  it.each([
    [
      'no STREAMINFO',
      (bytes: Buffer) => flacWith(bytes, blocks => [[1, Buffer.alloc(10)], ...blocks.slice(1)]),
    ],
    [
      'STREAMINFO at the end',
      (bytes: Buffer) => flacWith(bytes, blocks => [...blocks.slice(1), ...blocks.slice(0, 1)]),
    ],
    [
      'block sizes too small',
      (bytes: Buffer) =>
        flacWith(
          bytes,
          blocks => blocks,
          info => info.writeUInt32BE(0x00100010, 0),
        ),
    ],
    [
      'block sizes of zero',
      (bytes: Buffer) =>
        flacWith(
          bytes,
          blocks => blocks,
          info => info.writeUInt32BE(0, 0),
        ),
    ],
    ['frames alone', (bytes: Buffer) => flacBlocks(bytes).frames],
    ['rubbish before it', (bytes: Buffer) => Buffer.concat([Buffer.alloc(1000, 7), bytes])],
  ])('%s', async (name, change) => {
    const path = at(`${name.replaceAll(' ', '-')}.flac`)
    writeFileSync(path, change(readFileSync(good)))
    const decoded = await decode(path)
    expect(decoded).toMatchObject({ flac: { plain: false, present: SAMPLES }, damaged: 0, samples: SAMPLES })
    expect(decoded?.hash).toBe(hashByFlac(good))
  })

  it('the length, whatever the header says', async () => {
    for (const [name, samples] of [
      ['short', 100],
      ['long', 44_100 * 3600],
    ] as const) {
      const path = at(`${name}.flac`)
      writeFileSync(
        path,
        flacWith(
          readFileSync(good),
          blocks => blocks,
          info => info.writeUInt32BE(samples, 14),
        ),
      )
      expect(await readFlac(path)).toMatchObject({ promised: samples, present: SAMPLES, plain: true })
    }
  })

  it('up to where it was truncated', async () => {
    const bytes = readFileSync(good)
    writeFileSync(at('cut.flac'), bytes.subarray(0, bytes.length / 2))
    const decoded = await decode(at('cut.flac'))
    expect(decoded?.samples).toBe(decoded?.flac.present)
    expect(decoded).toMatchObject({ flac: { promised: SAMPLES }, damaged: 1 })
  })
})

it('handles damage', async () => {
  const good = readFileSync(encoded(16))
  for (let seed = 1; seed <= (isFull ? 20 : 5); seed++) {
    const random = seeded(seed)
    const bytes = Buffer.from(good)
    for (let count = 0; count < 20; count++) bytes[random(bytes.length)] = random(256)
    writeFileSync(at('damaged.flac'), bytes)
    const decoded = await decode(at('damaged.flac'))
    if (decoded) expect(decoded.samples).toBeLessThanOrEqual(SAMPLES)
  }
  writeFileSync(
    at('noise.flac'),
    Buffer.from(Array.from({ length: 100_000 }, (_, nth) => (nth * 2_654_435_761) >>> 11)),
  )
  expect(await decode(at('noise.flac'))).toBeNull()
  expect(judge('flac', '-t', '-s', encoded(16)).status).toBe(0)
})
