/** Damaged media files are converted as far as they can be read, and what is missing is reported. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import { judge, make, makeAll, mediaFolder, samples } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SECONDS = 6

const encodings: Record<string, string[]> = {
  mp3: ['-b:a', '128k'],
  flac: [],
  ogg: ['-c:a', 'libvorbis'],
  opus: ['-c:a', 'libopus'],
  m4a: ['-b:a', '128k'],
  aac: ['-b:a', '128k'],
}

beforeAll(() => {
  const sound = `aevalsrc=0.4*sin(2500*t)+0.2*sin(3000*t*t)|0.3*sin(900*t*t):d=${SECONDS}:s=48000`
  make(at('a.wav'), '-f', 'lavfi', '-i', sound)
  makeAll(
    ['-i', at('a.wav')],
    kinds(Object.entries(encodings), ([format]) => format === 'mp3').map(([format, args]) => [
      at(`a.${format}`),
      ...args,
    ]),
  )
})

/** Ways in which files come to harm, each in the middle of the sound. */
const harms: Record<string, (bytes: Buffer, middle: number) => Buffer> = {
  'a zeroed sector': (bytes, middle) => bytes.fill(0, middle, middle + 4096),
  'missing bytes': (bytes, middle) =>
    Buffer.concat([bytes.subarray(0, middle), bytes.subarray(middle + 3000)]),
}

function harmed(format: string, harm: string): string {
  const bytes = Buffer.from(readFileSync(at(`a.${format}`)))
  const path = at(`${harm.replaceAll(' ', '-')}.${format}`)
  writeFileSync(path, harms[harm]!(bytes, Math.floor(bytes.length / 2)))
  return path
}

const jobOf = (format: string) => `audio.${format}-to-${format === 'mp3' ? 'wav' : 'mp3'}`

/** Seconds that another decoder finds in what was written. */
const secondsOf = (path: string) => samples(path, 0, '-ar', '48000').length / 48_000

const reportedSeconds = (warnings: readonly string[]) =>
  Number(/about (\S+) s of its sound/.exec(warnings.join(' '))?.[1])

// In an MP4, missing bytes shift all that follow, so nothing after them can be told apart.
const tried = Object.keys(encodings).flatMap(format =>
  Object.keys(harms)
    .filter(harm => format !== 'm4a' || harm === 'a zeroed sector')
    .map(harm => [format, harm] as const),
)

describe('what is missing is reported', () => {
  it.each(few(1, tried))('%s: %s', async (format, harm) => {
    const path = harmed(format, harm)
    if (format === 'flac') expect(judge('flac', '-ts', path).status).not.toBe(0)
    const { path: result, warnings } = await convertFile(jobOf(format), path)
    const missing = SECONDS - secondsOf(result)
    expect(warnings.join(' ')).toMatch(/damaged|ends early/)
    // Where packets have no times, nothing says how many are missing between two others.
    if (!/^(mp3|aac)$/.test(format)) expect(Math.abs(reportedSeconds(warnings) - missing)).toBeLessThan(0.12)
  })

  it.each(onlyFull(Object.keys(encodings)))('nothing, where nothing is missing: %s', async format => {
    expect((await convertFile(jobOf(format), at(`a.${format}`))).warnings).toEqual([])
  })
})

testFull('pages with a wrong checksum are reported even where they are copied', async () => {
  const path = at('opus-inside.ogg')
  writeFileSync(path, readFileSync(harmed('opus', 'a zeroed sector')))
  const { warnings } = await convertFile('audio.ogg-to-opus', path)
  expect(warnings.join(' ')).toMatch(/damaged/)
})

const changed: Record<string, (bytes: Buffer, at: number) => unknown> = {
  'one byte': (bytes, at) => {
    bytes[at + 700]! ^= 0x55
  },
  'some bytes': (bytes, at) => {
    for (let byte = at; byte < at + 9000; byte += 1500) bytes[byte]! ^= 0x55
  },
  zeroes: (bytes, at) => bytes.fill(0, at, at + 9000),
  'most bytes': bytes => {
    for (let byte = 3000; byte < bytes.length - 8000; byte++) bytes[byte]! ^= 0x55
  },
}

const inside = [
  ['mp3', 'video.mkv-to-mp3', 'zeroes', {}],
  ['m4a', 'audio.m4b-to-m4a', 'some bytes', { trim: { start: 1 } }],
  ['m4a', 'audio.m4b-to-m4a', 'some bytes', {}],
  ['m4a', 'audio.m4b-to-m4a', 'most bytes', {}],
  ['m4a', 'video.mov-to-m4a', 'most bytes', {}],
  ['flac', 'video.mkv-to-wav', 'one byte', {}],
] as const

it.each(onlyFull(inside))(
  'bytes that changed inside packets are reported, copied or not: %s, %s, %s',
  async (format, job, change, options) => {
    const [, container] = /\.(\w+)-to/.exec(job)!
    const path = make(at(`changed-${format}.${container}`), '-i', at(`a.${format}`), '-c', 'copy')
    expect((await convertFile(job, path, options)).warnings).toEqual([])
    const bytes = readFileSync(path)
    changed[change]!(bytes, Math.floor(bytes.length / 2))
    writeFileSync(path, bytes)
    expect((await convertFile(job, path, options)).warnings.join(' ')).toMatch(/damaged/)
  },
)

testFull('what looks like sound, such as in a WAV, is converted as it is', async () => {
  const { warnings, path } = await convertFile('audio.wav-to-flac', harmed('wav', 'a zeroed sector'))
  expect(warnings).toEqual([])
  expect(execFileSync('flac', ['-ts', path]).length).toBe(0)
})
