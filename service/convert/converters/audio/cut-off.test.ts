/** Truncated recordings give a warning. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile, measureFile } from '../../../test/convert.ts'
import { isFull } from '../../../test/full.ts'
import { lively, make, mediaFolder } from '../../../test/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** How each is made, and converted. */
const recordings: Record<string, [encoding: string[], job: string]> = {
  wav: [[], 'audio.wav-to-flac'],
  flac: [[], 'audio.flac-to-wav'],
  mp3: [['-b:a', '128k'], 'audio.mp3-to-wav'],
  ogg: [[], 'audio.ogg-to-mp3'],
  opus: [[], 'audio.opus-to-wav'],
  m4a: [['-movflags', '+faststart'], 'audio.m4a-to-mp3'],
  m4b: [['-movflags', '+faststart', '-f', 'mp4'], 'audio.m4b-to-m4a'],
  wma: [['-b:a', '128k'], 'audio.wma-to-wav'],
  avi: [['-c:a', 'mp3'], 'video.avi-to-mp3'],
  mkv: [['-c:a', 'aac'], 'video.mkv-to-wav'],
  mp4: [['-movflags', '+faststart'], 'video.mp4-to-wav'],
  mov: [['-c:a', 'pcm_s16le', '-movflags', '+faststart'], 'video.mov-to-wav'],
  webm: [['-c:a', 'libopus'], 'video.webm-to-mp3'],
}
const film = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=3']

beforeAll(() => {
  make(at('whole.wav'), ...lively(3))
  for (const [format, [encoding, job]] of Object.entries(recordings)) {
    const picture = job.startsWith('video') ? film : []
    if (format !== 'wav') make(at(`whole.${format}`), '-i', at('whole.wav'), ...picture, ...encoding)
  }
})

describe.each(Object.entries(recordings))('%s', (format, [, job]) => {
  // That complete ones give no warning is tested with every pair.
  it.each(isFull ? [0.5, 0.9] : [0.5])('truncated at %d is converted with a warning', async share => {
    const bytes = readFileSync(at(`whole.${format}`))
    const path = at(`cut-${share}.${format}`)
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * share)))
    expect((await convertFile(job, path)).warnings.join(' ')).toMatch(/ends early|breaks off/)
  })
})

it('a truncated WAV is priced by what is there', async () => {
  const bytes = Buffer.from(readFileSync(at('whole.wav')))
  const data = bytes.indexOf('data')
  bytes.writeUInt32LE(0x7000_0000, data + 4)
  writeFileSync(at('promising.wav'), bytes)
  expect((await measureFile('audio.wav-to-flac', at('promising.wav'))).minutes).toBeCloseTo(3 / 60, 3)
  expect((await convertFile('audio.wav-to-flac', at('promising.wav'))).warnings).toEqual([
    'The recording ends early: it should last 177:32, but only 0:03.0 could be read.',
  ])
})

it.each([0, 0xffff_ffff])('a WAV written to a pipe, with size %d, counts as complete', async size => {
  const bytes = Buffer.from(readFileSync(at('whole.wav')))
  bytes.writeUInt32LE(size, bytes.indexOf('data') + 4)
  writeFileSync(at('piped.wav'), bytes)
  expect((await measureFile('audio.wav-to-flac', at('piped.wav'))).minutes).toBeCloseTo(3 / 60, 3)
  expect((await convertFile('audio.wav-to-flac', at('piped.wav'))).warnings).toEqual([])
})
