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

/**
 * The failure described by the log of a failed run. Without a known pattern it is `corrupt_input`, since ffmpeg could
 * not read the file.
 * @param crashed whether ffmpeg did not exit by itself: then earlier messages are not the reason, except for a full
 * disk
 */
export function failureOf(log: string, crashed: boolean): JobFailure {
  for (const [pattern, code, reason] of meanings) {
    if (pattern.test(log) && (!crashed || code === 'jobs.disk_full')) return new JobFailure(code, reason)
  }
  return new JobFailure(crashed ? 'jobs.engine_crashed' : 'jobs.corrupt_input')
}
