/** Truncated media files give a warning. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile, measureFile } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import { mediaFolder } from '../../../../testing/fixtures/media.ts'
import { makeRecordings, RECORDED_SECONDS, recordingJobs } from '../../../../testing/recordings.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** All but bare frames and PAF, which say nothing of their length. */
const media = Object.entries(recordingJobs).filter(([format]) => !/^(aac|ac3|paf)$/.test(format))

beforeAll(() => makeRecordings(folder, isFull ? undefined : ['mp3']))

describe.each(kinds(media, ([format]) => format === 'mp3'))('%s', (format, job) => {
  // That complete ones give no warning is tested with every pair.
  it.each(few(1, [0.5, 0.9]))('truncated at %d is converted with a warning', async share => {
    const bytes = readFileSync(at(`good.${format}`))
    const path = at(`cut-${share}.${format}`)
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * share)))
    expect((await convertFile(job, path)).warnings.join(' ')).toMatch(/ends early|end of the file is missing/)
  })
})

testFull('a truncated WAV is priced by what is there', async () => {
  const bytes = Buffer.from(readFileSync(at('good.wav')))
  const data = bytes.indexOf('data')
  bytes.writeUInt32LE(0x7000_0000, data + 4)
  writeFileSync(at('promising.wav'), bytes)
  expect((await measureFile('audio.wav-to-flac', at('promising.wav'))).minutes).toBeCloseTo(
    RECORDED_SECONDS / 60,
    3,
  )
  expect((await convertFile('audio.wav-to-flac', at('promising.wav'))).warnings).toEqual([
    `The recording ends early: it should last 177:32, but only 0:0${RECORDED_SECONDS.toFixed(1)} could be read.`,
  ])
})

it.each(onlyFull([0xffff_ffff, 0]))(
  'a WAV written to a pipe, with size %d, counts as complete',
  async size => {
    const bytes = Buffer.from(readFileSync(at('good.wav')))
    bytes.writeUInt32LE(size, bytes.indexOf('data') + 4)
    writeFileSync(at('piped.wav'), bytes)
    expect((await measureFile('audio.wav-to-flac', at('piped.wav'))).minutes).toBeCloseTo(
      RECORDED_SECONDS / 60,
      3,
    )
    expect((await convertFile('audio.wav-to-flac', at('piped.wav'))).warnings).toEqual([])
  },
)
