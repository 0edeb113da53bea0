/** A header that understates a media file does not make the conversion cheaper. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { converterOf, measureFile } from '../../../testing/fixtures/convert.ts'
import { kinds } from '../../../testing/fixtures/full.ts'
import { makeAll, mediaFolder } from '../../../testing/fixtures/media.ts'
import { json, sharedService } from '../../../testing/service.ts'
import { understate } from '../../../testing/understated.ts'
import { creditsFor } from '../../accounts/pricing.ts'
import { measured } from '../../convert/catalogue/costing.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SECONDS = 600.02
const tone = ['-f', 'lavfi', '-i', `sine=f=300:r=8000:d=${SECONDS}`]

/** How each is made, and converted. */
const recordings: Record<string, [encoding: string[], job: string]> = {
  flac: [[], 'audio.flac-to-wav'],
  mp3: [['-b:a', '16k'], 'audio.mp3-to-wav'],
  m4a: [['-b:a', '16k'], 'audio.m4a-to-mp3'],
  ogg: [['-q:a', '1'], 'audio.ogg-to-mp3'],
  opus: [['-b:a', '12k'], 'audio.opus-to-wav'],
  mkv: [['-c:a', 'flac'], 'video.mkv-to-wav'],
  wma: [['-b:a', '24k'], 'audio.wma-to-wav'],
  avi: [['-c:a', 'pcm_u8'], 'video.avi-to-wav'],
}

const tried = kinds(Object.entries(recordings), ([format]) => format === 'mkv')

beforeAll(() => {
  makeAll(
    tone,
    tried.map(([format, [encoding]]) => [at(`long.${format}`), ...encoding]),
  )
})

describe.each(tried)('%s of ten minutes', (format, [, job]) => {
  const price = async (path: string) => {
    const { probe: _, ...size } = await measureFile(job, path)
    return creditsFor(converterOf(job).costing, measured(size))
  }

  it('costs 2, with or without padding', async () => {
    expect(await price(at(`long.${format}`))).toBe(2)
  })

  it('costs 2 when its header says one second', async () => {
    const bytes = readFileSync(at(`long.${format}`))
    understate[format]!(bytes)
    writeFileSync(at(`second.${format}`), bytes)
    expect(await price(at(`second.${format}`))).toBe(2)
  })
})

describe('a plausible header', () => {
  const service = sharedService()
  const submit = (name: string, bytes: Buffer) => service().submit(name, new Uint8Array(bytes), 'wav')

  it('is trusted at first, and the job stops and is refunded if it proves wrong', async () => {
    const before = await service().balance()
    const bytes = readFileSync(at('long.mkv'))
    bytes.writeDoubleBE(300_000, bytes.indexOf(Buffer.from('448988', 'hex')) + 3)
    const { id, creditCost } = await json<{ id: string; creditCost: number }>(submit('five.mkv', bytes))
    expect(creditCost).toBe(1)
    expect(await service().finished(id)).toMatchObject({
      status: 'Failed',
      error: {
        code: 'jobs.corrupt_input',
        detail: expect.stringContaining('more in the file than its header says'),
      },
    })
    expect(await service().balance()).toBe(before)
  })

  it('that is correct determines the price', async () => {
    const before = await service().balance()
    const { id, creditCost } = await json<{ id: string; creditCost: number }>(
      submit('long.mkv', readFileSync(at('long.mkv'))),
    )
    expect(creditCost).toBe(2)
    // What a caller states is taken as it is; what is measured, by whole seconds.
    const estimate = (seconds: number) => `/convert/estimate/mkv/wav?durationMinutes=${seconds / 60}`
    expect(await json(service().call(estimate(600)))).toMatchObject({ estimatedCredits: 2 })
    expect(await json(service().call(estimate(SECONDS)))).toMatchObject({ estimatedCredits: 3 })
    expect(await service().finished(id)).toMatchObject({ status: 'Succeeded', metrics: { creditCost: 2 } })
    expect(await service().balance()).toBe(before - 2)
  })
})
