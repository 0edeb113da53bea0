/** Some seconds of a media file, from which the size of the whole result is estimated. */
import type { Excerpt, TaskInput } from '../../catalogue/task.ts'
import { readTags } from '../../engines/media/taglib/tags.ts'
import type { AudioOptions } from './options.ts'
import { pickTrack } from './plan.ts'
import { excerptOf, openRecording, secondsOf, sound } from './sounds.ts'
import { lengthWithin, spanOf } from './span.ts'

/** An excerpt missing no more than this counts as complete. */
const WHOLE_SECONDS = 0.05

/** @throws JobFailure */
export async function partOf(input: TaskInput, options: AudioOptions): Promise<Excerpt> {
  const source = await openRecording(input)
  const total = secondsOf(source)
  const span = spanOf(options.trim, total)
  const excerpt = excerptOf(source, span)
  const wanted = lengthWithin(span, total)
  const track = pickTrack(source.media.tracks, options.audio.track).position
  const part = { sound: (path: string) => sound(source, excerpt, path, track) }
  if (wanted !== null && excerpt.seconds >= wanted - WHOLE_SECONDS) {
    return { ...part, options, whole: bytes => bytes, isPart: false }
  }
  const own = options.metadata.strip ? 0 : await pictureBytes(input.path)
  return {
    ...part,
    options: {
      ...options,
      audio: shareOf(options.audio, own, wanted && excerpt.seconds / wanted),
      trim: { start: excerpt.from, end: excerpt.from + excerpt.seconds },
      ...(options.chapters && { chapters: { split: false } }),
      // Tags would weigh as much as seconds of audio.
      metadata: { strip: true },
    },
    whole: bytes =>
      wanted === null ? null : Math.round(bytes * (wanted / Math.max(0.001, excerpt.seconds)) + own),
    isPart: true,
  }
}

/** The sound with a part's share of the size that was asked for, of which the cover takes its bytes. */
function shareOf(audio: AudioOptions['audio'], own: number, share: number | null): AudioOptions['audio'] {
  if (!('targetSize' in audio) || audio.targetSize === undefined) return audio
  const { targetSize, ...rest } = audio
  return share === null
    ? rest
    : { ...rest, targetSize: Math.max(targetSize - own / 1e6, targetSize / 2) * share }
}

async function pictureBytes(path: string): Promise<number> {
  const { pictures = [] } = (await readTags(path)) ?? {}
  return pictures.reduce((sum, { data }) => sum + data.length, 0)
}
