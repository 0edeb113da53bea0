/** Encodes videos within a size. */
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { FailedRun } from '../../engines/media/ffmpeg/failures.ts'
import type { Finished } from '../../engines/media/ffmpeg/run.ts'
import { lengthOf, pass, type VideoTask } from './pass.ts'
import type { Plan } from './plan.ts'

/** The share of the size that is aimed at, since encoders miss their rate by some percent. */
const AIM = 0.96
/** A result below this share is encoded once more with more bits. */
const LEAST = 0.9
/** How often the rate is corrected. */
const ATTEMPTS = 4
/** The share of the work after the first pass, which encoders are quick about, and after each attempt at the second. */
const FIRST = 0.3
const AFTER = [0.95, 0.97, 0.98, 1]
/** Bits a second below which a picture cannot be recognised. */
const LEAST_RATE = 8_000
/** Bits a second of the sound, from which the first is chosen that takes no more than a quarter of the file. */
const soundRates = [128_000, 96_000, 64_000, 48_000, 32_000, 24_000]

/**
 * Writes a video of at most `bytes` bytes in two passes: the first finds out where bits are needed, the second is repeated with
 * another rate until the size is met.
 * @throws JobFailure `unsupported_input` if the size is too small; as `pass` does
 */
export async function encodeToSize(
  video: VideoTask,
  plan: Plan,
  path: string,
  bytes: number,
): Promise<Finished> {
  const { task } = video
  const seconds = lengthOf(video)
  if (!plan.video || seconds === undefined || seconds <= 0) throw new JobFailure('jobs.corrupt_input')
  // What is smaller already needs no more bits than it has.
  const limit = Math.min(bytes, task.input.bytes)
  const total = (limit * AIM * 8) / seconds
  const each = soundRates.find(rate => rate * plan.sound.length <= total / 4) ?? soundRates.at(-1)!
  const shares = plan.sound.map(({ encoding }) => (encoding?.within(each / 1000) ?? 0) * 1000)
  const sound = shares.reduce((sum, share) => sum + share, 0)
  let rate = total - sound
  const tooSmall = (least = LEAST_RATE) => {
    const needed = ((least + sound) * seconds) / 8 / AIM / 1e6
    // Rounded up, since a little less is not enough.
    const megabytes = (Math.ceil(needed * 100) / 100).toFixed(2)
    return new JobFailure('jobs.unsupported_input', message('video.too_small', { megabytes }))
  }
  if (rate < LEAST_RATE) throw tooSmall()

  const { encoder } = plan.video
  const log = join(task.folder, 'passes')
  const rates = (bits: number) => [
    ...['-b:v', String(Math.round(bits))],
    ...(encoder.pass
      ? ['-maxrate', String(Math.round(bits * 2)), '-bufsize', String(Math.round(bits * 4))]
      : []),
  ]
  const passes = (number: 1 | 2) => encoder.pass?.(number, log, plan.picture) ?? []
  const sounded = plan.rest.map((word, index) => {
    const track = /^-b:a:(\d+)$/.exec(plan.rest[index - 1] ?? '')?.[1]
    return track ? String(shares[Number(track)]) : word
  })
  if (encoder.pass)
    await pass(
      video,
      null,
      [...plan.pictureTrack, ...plan.picture, ...rates(rate), ...passes(1), '-an', '-sn', '-dn'],
      [0, FIRST],
    )
  const options = () => [
    ...[...plan.tracks, ...plan.picture, ...rates(rate), ...passes(2)],
    ...[...sounded, ...plan.container],
  ]
  const started = encoder.pass ? FIRST : 0
  const best = join(task.folder, 'best')
  let largest = 0
  let finished: Finished | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let done: Finished
    try {
      done = await pass(video, path, options(), [AFTER[attempt - 1] ?? started, AFTER[attempt] ?? 1])
    } catch (error) {
      const least = refusedRate(error)
      if (least === null) throw error
      if (finished) break
      throw tooSmall(least)
    }
    const { size } = await stat(path)
    const isWithin = size <= bytes
    // More bits than a picture needs do not make it larger.
    const isSaturated = isWithin && size < largest * 1.02
    if (isWithin && size > largest) {
      finished = done
      largest = size
      await rename(path, best)
    }
    if (isWithin && (size >= limit * LEAST || isSaturated)) break
    const own = Math.max(size - (sound * seconds) / 8, size / 10)
    rate *= Math.min(4, Math.max(0.1, (limit * AIM - (sound * seconds) / 8) / own))
    if (rate < LEAST_RATE / 4) break
  }
  if (!finished) throw tooSmall()
  await rename(best, path)
  return finished
}

/** Bits a second that x264 needs at least for these frames, if it refused fewer. */
function refusedRate(error: unknown): number | null {
  const failed = error instanceof JobFailure ? error.cause : null
  const refusal = failed instanceof FailedRun && /requested bitrate is too low.* (\d+) kbps/.exec(failed.log)
  return refusal ? Number(refusal[1]) * 1000 : null
}
