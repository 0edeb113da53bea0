/** Finds out from ffmpeg's log why a run failed. */

import { JobFailure, type JobFailureCode } from '../../../shared/errors.ts'
import { type Message, message } from '../../../shared/messages/message.ts'

/** Patterns in ffmpeg's log, the most specific first. */
const meanings: readonly [RegExp, JobFailureCode, Message?][] = [
  [/No space left on device|Disk quota exceeded/i, 'jobs.disk_full'],
  [
    /not on whitelist|Unsafe file name|not in allowed_extensions/i,
    'jobs.unsupported_input',
    message('recording.points_elsewhere'),
  ],
  [/matches no streams|does not contain any stream/i, 'jobs.no_audio_track'],
  [
    /Decoder \(codec \w+\) not found|Decoding requested, but no decoder found|(is|Function) not implemented|Not yet implemented|Unknown decoder|codec not currently supported/i,
    'jobs.unsupported_input',
    message('recording.unknown_codec'),
  ],
  [
    /Invalid data found|moov atom not found|End of file|Could not find codec parameters|Header missing|Invalid argument|Error while decoding|Error submitting packet|Conversion failed/i,
    'jobs.corrupt_input',
  ],
]

/** What ffmpeg says of arguments that it, or an encoder, refuses: they are ours and have nothing to do with the file. */
const refusals =
  /Error while opening encoder|Unrecognized option|Option \S+ not found|Error setting option|Unable to parse option|Unknown encoder|No such filter/i

/** How much of ffmpeg's log the service's log gets. */
const LOG_CHARACTERS = 2000

/**
 * The failure described by the log of a failed run. Without a known pattern it is `corrupt_input`, since ffmpeg could
 * not read the file.
 * @param crashed whether ffmpeg did not exit by itself: then earlier messages are not the reason, except for a full
 * disk
 */
export function failureOf(log: string, crashed: boolean): JobFailure {
  const refused = refusals.test(log)
  for (const [pattern, code, reason] of meanings) {
    const applies = (!crashed && !refused) || code === 'jobs.disk_full'
    if (applies && pattern.test(log)) return new JobFailure(code, reason)
  }
  if (refused)
    return new JobFailure('jobs.engine_crashed', undefined, { cause: new Error(log.slice(-LOG_CHARACTERS)) })
  return new JobFailure(crashed ? 'jobs.engine_crashed' : 'jobs.corrupt_input')
}
