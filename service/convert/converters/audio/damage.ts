/** Says what of a damaged media file could not be read. */
import { type Message, message } from '../../../shared/messages/message.ts'
import type { AudioTrack } from '../../engines/media/ffmpeg/recording.ts'
import type { Finished } from '../../engines/media/ffmpeg/run.ts'
import type { Plan } from './plan.ts'
import type { Source } from './source.ts'

/** More samples than encoders add before and after a media file, which headers and times may count. */
export const PADDING_SAMPLES = 3500

/** The shortest gap that is reported. */
const TOLD_SECONDS = 0.1

/** The warning about damage that ffmpeg, or our own reader, has skipped or copied; null if there was none. */
export function damageOf(
  source: Source,
  { track, sampleRate, copy }: Pick<Plan, 'track' | 'sampleRate' | 'copy'>,
  finished: Finished,
): Message | null {
  // No packet of a copy could be decoded: it is ffmpeg that does not know them.
  if (copy && finished.decoded === 0) return null
  const lost = lostSeconds(source, track, finished)
  if (lost > PADDING_SAMPLES / sampleRate)
    return message('recording.sound_missing', { seconds: Math.max(TOLD_SECONDS, lost).toFixed(1) })
  const packets = finished.damaged
  if (packets === 0) return null
  return message(copy ? 'recording.packets_copied' : 'recording.packets_skipped', { packets })
}

/** Seconds that are missing before the end of what was decoded, since times continue over what is skipped; 0 if that is unknown. */
function lostSeconds(
  { media: { container, chained } }: Source,
  { sampleRate }: AudioTrack,
  { time, decoded, damaged }: Finished,
): number {
  // Elsewhere a pause may be meant, and only a packet that cannot be decoded is a damage.
  const isContinuous = /^(flac|ogg|mp3|aac)$/.test(container)
  if (decoded === null || sampleRate <= 0 || chained || (damaged === 0 && !isContinuous)) return 0
  return time - decoded / sampleRate
}
