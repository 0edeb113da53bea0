/** Recordings of every format, damaged at random places, are converted or refused as damaged. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { mediaFolder } from '../../../../testing/fixtures/media.ts'
import { randomFrom } from '../../../../testing/fixtures/random.ts'
import { makeRecordings, recordingJobs } from '../../../../testing/recordings.ts'
import { JobFailure } from '../../../shared/errors.ts'

const ROUNDS = 16
/** Changed bytes in a copy. */
const CHANGES = 24
/** Bytes in which half of the changes are: the header, where they have the most effect. */
const HEADER = 600

/** A change can hit the name of the codec, or the marks of a track or of its protection. */
const ALLOWED = [
  'converted',
  'jobs.corrupt_input',
  'jobs.unsupported_input',
  'jobs.no_audio_track',
  'jobs.encrypted_input',
]

const folder = mediaFolder()
beforeAll(() => makeRecordings(folder))

it.each(Object.entries(recordingJobs))(
  '.%s',
  async (format, job) => {
    const good = readFileSync(join(folder, `good.${format}`))
    const random = randomFrom(12_345)
    const below = (limit: number) => Math.floor(random() * limit)
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = round === 0 ? good.subarray(0, good.length / 10) : Buffer.from(good)
      for (let change = 0; round > 0 && change < CHANGES; change++) {
        bytes[below(change % 2 ? bytes.length : Math.min(HEADER, bytes.length))] = below(256)
      }
      const path = join(folder, `damaged-${round}.${format}`)
      writeFileSync(path, bytes)
      const end = await convertFile(job, path).then(
        () => 'converted',
        (error: unknown) => {
          if (error instanceof JobFailure) return error.code
          throw error
        },
      )
      expect(ALLOWED, `round ${round}`).toContain(end)
    }
  },
  240_000,
)
