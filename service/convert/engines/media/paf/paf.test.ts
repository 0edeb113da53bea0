import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { few } from '../../../../../testing/fixtures/full.ts'
import { lively, make, mediaFolder, tool } from '../../../../../testing/fixtures/media.ts'
import { JobFailure } from '../../../../shared/errors.ts'
import { readPaf } from './paf.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** Samples as read by SoX's libsndfile. */
const judged = (path: string, bits: number) =>
  execFileSync('sox', ['-D', path, '-t', 'raw', '-e', 'signed', '-b', String(bits), '-L', '-'], {
    maxBuffer: 1 << 28,
  })

async function samplesOf(path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await readPaf(path)).samples()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

beforeAll(() => {
  // Not a multiple of a block's 10 frames.
  make(at('source.wav'), ...lively(1.5), '-af', 'atrim=end_sample=62347', '-c:a', 'pcm_s24le')
  make(
    at('wide.wav'),
    '-f',
    'lavfi',
    '-i',
    'anoisesrc=d=0.3:c=white:seed=1:r=44100',
    '-ac',
    '5',
    '-c:a',
    'pcm_s24le',
  )
})

describe('PARIS audio', () => {
  it.each(
    few(2, [
      ['little', 'pcm16', 16],
      ['big', 'pcm24', 24],
      ['big', 'pcms8', 8],
      ['little', 'pcms8', 8],
      ['big', 'pcm16', 16],
      ['little', 'pcm24', 24],
    ]),
  )('%s-endian %s is read like libsndfile does', async (endian, format, bits) => {
    for (const [source, channels] of [
      ['source', 2],
      ['wide', 5],
    ] as const) {
      const path = at(`${source}-${endian}-${format}.paf`)
      tool('sndfile-convert', `-endian=${endian}`, `-${format}`, at(`${source}.wav`), path)
      const paf = await readPaf(path)
      expect(paf).toMatchObject({ bits, channels, sampleRate: 44_100 })
      const samples = await samplesOf(path)
      expect(samples.equals(judged(path, bits))).toBe(true)
      expect(samples.length).toBe(paf.frames * channels * (bits / 8))
      expect(samples.some(byte => byte !== 0)).toBe(true)
    }
  })

  it('a truncated 24-bit block ends in silence', async () => {
    const path = at('cut.paf')
    const whole = readFileSync(at('source-big-pcm24.paf'))
    writeFileSync(path, whole.subarray(0, 2048 + 64 * 100 + 20))
    const samples = await samplesOf(path)
    expect(samples.length).toBe(1010 * 6)
    expect(
      samples.subarray(0, 6000).equals((await samplesOf(at('source-big-pcm24.paf'))).subarray(0, 6000)),
    ).toBe(true)
    expect(samples.subarray(6042).every(byte => byte === 0)).toBe(true)
  })

  const header = (mark: string, words: number[]) => {
    const bytes = Buffer.alloc(2100)
    bytes.write(mark, 'latin1')
    words.forEach((word, index) => {
      bytes.writeUInt32BE(word, 4 + 4 * index)
    })
    return bytes
  }
  it.each([
    ['no PARIS file', header('RIFF', [0, 0, 44_100, 0, 2]), 'jobs.corrupt_input'],
    ['a cut header', header(' paf', [0, 0, 44_100, 0, 2]).subarray(0, 20), 'jobs.corrupt_input'],
    ['no channels', header(' paf', [0, 0, 44_100, 0, 0]), 'jobs.corrupt_input'],
    ['a million channels', header(' paf', [0, 0, 44_100, 0, 1_000_000]), 'jobs.corrupt_input'],
    ['no sample rate', header(' paf', [0, 0, 0, 0, 2]), 'jobs.corrupt_input'],
    ['a later version', header(' paf', [1, 0, 44_100, 0, 2]), 'jobs.unsupported_input'],
    ['an unknown sample format', header(' paf', [0, 0, 44_100, 7, 2]), 'jobs.unsupported_input'],
  ])('%s is refused', async (name, bytes, code) => {
    const path = at(`${name}.paf`)
    writeFileSync(path, bytes)
    await expect(readPaf(path)).rejects.toBeInstanceOf(JobFailure)
    await expect(readPaf(path)).rejects.toMatchObject({ code })
  })
})
