/** Encodes videos within a size. */
import { readFile, rename, stat } from 'node:fs/promises'
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
const ATTEMPTS = 5
/** The share of the work after the first pass, which encoders are quick about, and after each attempt at the second. */
const FIRST = 0.3
const AFTER = [0.95, 0.97, 0.98, 1]
/** Bits a second below which a picture cannot be recognised. */
const LEAST_RATE = 8_000
/** How many times the bits of newer codecs those before H.264 need at most. */
const OLDER = 4
/** The largest quantizer of these codecs, in the unit of FFmpeg's logs: FF_QP2LAMBDA in its avutil.h for each step. */
const LARGEST_QUANTIZER = 31 * 118
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
  const { encoder } = plan.video
  // What is smaller already needs no more bits than it has.
  const isOlder = Boolean(encoder.pass && encoder.factor)
  const limit = Math.min(bytes, task.input.bytes * (isOlder ? OLDER : 1))
  const total = (limit * AIM * 8) / seconds
  const each = soundRates.find(rate => rate * plan.sound.length <= total / 4) ?? soundRates.at(-1)!
  const shares = plan.sound.map(({ encoding }) => (encoding?.within(each / 1000) ?? 0) * 1000)
  const sound = shares.reduce((sum, share) => sum + share, 0)
  let rate = isOlder ? Math.max(LEAST_RATE, total - sound) : total - sound
  let before: { rate: number; size: number } | undefined
  let least = LEAST_RATE
  const tooSmall = () => {
    // What was reached, if it came to that, has what the container adds; with more room the sound gets more of it, too.
    const reached = before && Math.max(before.size, (before.size - (sound * seconds) / 8) / (1 - AIM / 4))
    const needed = Math.max(reached ?? ((least + sound) * seconds) / 8 / AIM, bytes) * 1.01
    // Rounded up, since a little less is not enough.
    const megabytes = (Math.ceil(needed / 1e4) / 100).toFixed(2)
    return new JobFailure('jobs.unsupported_input', message('video.too_small', { megabytes }))
  }
  if (rate < LEAST_RATE) throw tooSmall()

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
      const refused = await refusedRate(error, `${log}-0.log`, seconds)
      if (refused === null) throw error
      if (finished) break
      least = refused
      rate = Math.max(least, rate) * 1.2
      continue
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
    const last = before
    before = { rate, size }
    if (isWithin ? size >= limit * LEAST || isSaturated : least > LEAST_RATE) break
    const own = Math.max(size - (sound * seconds) / 8, size / 10)
    const inProportion = (limit * AIM - (sound * seconds) / 8) / own
    // Some encoders follow a rate from afar: what the last change did says more.
    const slope = last ? (rate - last.rate) / (size - last.size) : 0
    const factor = slope > 0 && !isWithin ? 1 + ((limit * AIM - size) * slope) / rate : inProportion
    rate *= Math.min(4, Math.max(0.1, Math.min(factor, inProportion)))
    if (rate < LEAST_RATE / 4) break
  }
  if (!finished) throw tooSmall()
  await rename(best, path)
  return finished
}

/**
 * Bits a second that an encoder needs at least for these frames, if it refused fewer.
 * @param log what the first pass wrote; FFmpeg's own encoders refuse fewer bits than their largest quantizer takes (libavcodec/ratecontrol.c)
 */
async function refusedRate(error: unknown, log: string, seconds: number): Promise<number | null> {
  const failed = error instanceof JobFailure ? error.cause : null
  if (!(failed instanceof FailedRun)) return null
  const refusal = /requested bitrate is too low.* (\d+) kbps/.exec(failed.log)
  if (refusal) return Number(refusal[1]) * 1000
  if (!/bitrate (is )?too low|rc buffer underflow/.test(failed.log)) return null
  const frames = (await readFile(log, 'latin1')).matchAll(
    /q:(\d+) itex:(\d+) ptex:(\d+) mv:(\d+) misc:(\d+)/g,
  )
  const bits = frames
    .map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number, number])
    .map(([q, i, p, vectors, other]) => ((i + p + 1) * q) / LARGEST_QUANTIZER + vectors + other)
  return bits.reduce((sum, each) => sum + each, 0) / seconds
}
