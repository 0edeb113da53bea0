/** Encodes media files within a size. */
import { stat } from 'node:fs/promises'
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import { warningOnce } from '../../catalogue/warn-once.ts'
import type { AudioTrack } from '../../engines/media/ffmpeg/recording.ts'
import type { AudioOptions } from './options.ts'
import { followsRate, leastBits, withBits } from './rates.ts'

/** The share of the size that is aimed at, since encoders meet a rate only roughly. */
const AIM = 0.97
/** Pauses take few bits: a result below this share of the size is encoded once more with as many as it has left. */
const LEAST = 0.85
/** How often the rate is lowered before the lowest is taken. */
const ATTEMPTS = 5
/** Bits a second to begin with if nothing says how long the media file is. */
const USUAL_BITS = 64_000
/** A cover that takes more than this share of the size is left out. */
const COVER_SHARE = 0.25

export interface EncodedFile {
  path: string
  /** How long it is, in seconds; null if that is unknown. */
  seconds: number | null
  /** Bytes of its tags. */
  tagBytes: number
}

export interface Writing {
  options: AudioOptions
  /** The task, with each kind of warning only once. */
  task: Task<AudioOptions>
  withCover: boolean
}

/**
 * Writes a media file as its options say; if a file of it has more than `most` bytes, again with as many bits a second as
 * that allows, and fewer if it still has. What not even the fewest bits make small enough gets a warning.
 * @throws JobFailure as `write` does
 */
export async function writeWithin<Piece extends EncodedFile>(
  task: Task<AudioOptions>,
  track: AudioTrack,
  most: number,
  write: (writing: Writing) => Promise<Piece[]>,
): Promise<Piece[]> {
  const { options, target } = task
  const { audio } = options
  const once = warningOnce(task)
  let withCover = true
  const written = async (bits?: number) => {
    const sound = bits === undefined ? audio : withBits(target, audio, track, bits)
    const pieces = await write({ task: once, withCover, options: { ...options, audio: sound } })
    return { pieces, ...(await largestOf(pieces)) }
  }
  let result = await written()
  if (result.bytes <= most) return result.pieces
  if (result.tagBytes > most * COVER_SHARE) {
    once.warn(message('recording.cover_left_out'))
    withCover = false
    result = await written()
  }
  const least = leastBits(target, audio)
  const { seconds, tagBytes } = result
  const room = Math.max(0, most * AIM - tagBytes)
  let bits = seconds ? (room * 8) / seconds : USUAL_BITS
  const leavesRoom = () => !followsRate(target, audio) && result.bytes < most * LEAST
  for (let attempt = 1; result.bytes > most || (attempt === 2 && leavesRoom()); attempt++) {
    bits = attempt > ATTEMPTS ? least : Math.max(least, bits)
    result = await written(bits)
    if (bits === least && result.bytes > most) break
    const factor = room / Math.max(1, result.bytes - tagBytes)
    bits *= result.bytes > most ? Math.min(AIM, factor) : factor
  }
  if (result.bytes > most) {
    const kilobytes = { kilobytes: Math.ceil(result.bytes / 1000), most: Math.floor(most / 1000) }
    once.warn(message('same.over_size', kilobytes))
  }
  return result.pieces
}

async function largestOf(pieces: readonly EncodedFile[]) {
  const sizes = await Promise.all(
    pieces.map(async piece => ({ ...piece, bytes: (await stat(piece.path)).size })),
  )
  return sizes.reduce((largest, next) => (next.bytes > largest.bytes ? next : largest))
}
