/** Finds out why a run of ffmpeg failed: whether the file, the disk, the program or its arguments are to blame. */

import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

/** How a run ended that did not reach its end. */
export class FailedRun extends Error {
  readonly log: string
  /** Whether ffmpeg did not exit by itself. */
  readonly crashed: boolean

  /** @param reason what the system says of the process, such as its exit code */
  constructor(reason: string, log: string, crashed: boolean, options?: ErrorOptions) {
    super(`${reason}\n${log.slice(-LOG_CHARACTERS)}`, options)
    this.name = 'FailedRun'
    this.log = log
    this.crashed = crashed
  }
}

/** How much of ffmpeg's log the service's log gets. */
const LOG_CHARACTERS = 2000

/** The system's words, which ffmpeg passes on. */
const FULL = /No space left on device|Disk quota exceeded|File too large/i

/** What ffmpeg says of a file that is sound but not for us, the most specific first, possibly with the name of a codec. */
const refusals: readonly [RegExp, (codec?: string) => JobFailure][] = [
  [
    /Codec \((?<codec>\S+)\) not on whitelist.*\n(?: +Last message repeated.*\n)?.*Error while opening decoder|Decoder \(codec (?<codec>\w+)\) not found|no decoder found for: (?<codec>\w+)/,
    refused,
  ],
  [
    /^(?!.*Codec \().*not on whitelist|Unsafe file name|not in allowed_extensions/im,
    () => new JobFailure('jobs.unsupported_input', message('recording.points_elsewhere')),
  ],
  [/matches no streams|does not contain any stream/i, () => new JobFailure('jobs.no_audio_track')],
  [
    /(is|Function) not implemented|Not yet implemented|Unknown decoder|codec not currently supported/i,
    () => refused(),
  ],
]

/** What a media file is refused with whose codec cannot or may not be decoded. @param codec ffmpeg's name of it, if known */
export function refused(codec?: string): JobFailure {
  const reason = codec ? message('recording.codec_not_read', { codec }) : message('recording.unknown_codec')
  return new JobFailure('jobs.unsupported_input', reason)
}

/** What ffmpeg says of damage whatever it does with the data; of units of HEVC only in a log of `info` or more. */
const DAMAGED_DATA = /Invalid data found|Error parsing NAL unit/i

/** What ffmpeg says of damage when it does nothing but read: of the file's end, of its headers, and of what is decoded. */
const damage = [
  DAMAGED_DATA,
  /: (End of file|Input\/output error|Operation not permitted)$/im,
  /after EOF|Could not seek to|Failed to read extradata|could not find codec parameters/i,
  /Error while (decoding|processing the decoded data)|Error submitting packet/i,
  /Sample rate 0 invalid|Value inf for parameter 'time_base'/i,
  // It asks for more at once than ffmpeg is allowed (`-max_alloc`), which only the sizes of damaged tables do.
  /Cannot allocate memory/i,
]

/**
 * The failure of a run. No log says reliably whose fault it is, so the file is only blamed if it cannot be decoded by itself either,
 * without the filters, encoder and container of the run, and ffmpeg then says something that is known of files.
 * @param decodeAlone decodes the input and throws the result away; rejects with a FailedRun if that fails as well, and is undefined
 * for input that cannot be read again
 */
export async function failureOf(
  failed: FailedRun,
  decodeAlone: (() => Promise<unknown>) | undefined,
): Promise<JobFailure> {
  if (FULL.test(failed.log)) return new JobFailure('jobs.disk_full')
  const ours = new JobFailure('jobs.engine_crashed', undefined, { cause: failed })
  if (failed.crashed) return ours
  const log = decodeAlone ? await logOfFailure(decodeAlone) : DAMAGED_DATA.exec(failed.log)?.[0]
  if (log === undefined) return ours
  for (const [pattern, failure] of refusals) {
    const found = pattern.exec(log)
    if (found) return failure(found.groups?.codec)
  }
  return damage.some(sign => sign.test(log)) ? new JobFailure('jobs.corrupt_input') : ours
}

/** The log of work that fails by itself; undefined if it succeeds, or does not end by itself. */
async function logOfFailure(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof FailedRun) return error.crashed ? undefined : error.log
    if (error instanceof JobFailure) return undefined
    throw error
  }
}
