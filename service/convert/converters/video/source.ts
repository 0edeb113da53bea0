import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Task, TaskInput } from '../../catalogue/task.ts'
import { ffmpeg } from '../../engines/media/ffmpeg/locate.ts'
import { probe } from '../../engines/media/ffmpeg/probe.ts'
import { isRecording, type MediaInfo, type PictureTrack } from '../../engines/media/ffmpeg/recording.ts'
import type { Run } from '../../engines/media/ffmpeg/run.ts'
import type { TimeRange } from '../audio/span.ts'

/** Arguments that read only a span. */
export const reading = ({ start, end }: TimeRange): string[] => [
  ...(start > 0 ? ['-ss', start.toFixed(6)] : []),
  ...(end === null ? [] : ['-t', (end - start).toFixed(6)]),
]

/** A video, however it is read. */
export interface VideoSource {
  media: MediaInfo
  /** ffmpeg's input, of which it reads this span; if it is a stream, a new one at each call. */
  open(span: TimeRange): Required<Pick<Run, 'input' | 'demuxer' | 'inputOptions'>>
}

/**
 * @param transparent whether what is transparent has to be read as such
 * @param steady whether filters stay where the size of the picture changes, unless it is turned: ffmpeg does so before them
 * @throws JobFailure as `probe` does
 */
export async function openVideo(
  input: TaskInput,
  { transparent = false, steady = false } = {},
): Promise<VideoSource> {
  const media = await describeVideo(input)
  const options = [
    ...(transparent ? await transparentDecoder(media.picture) : []),
    ...(steady && media.picture?.rotation === 0 ? ['-reinit_filter', '0'] : []),
  ]
  return {
    media,
    open: span => ({
      input: input.path,
      demuxer: media.demuxer,
      inputOptions: [...options, ...reading(span)],
    }),
  }
}

const transparentDecoders: Record<string, string | undefined> = { vp8: 'libvpx', vp9: 'libvpx-vp9' }

/** Arguments of the decoder that knows what is transparent in WebM, which ffmpeg's own ones do not. */
async function transparentDecoder(picture: PictureTrack | null): Promise<string[]> {
  const name = picture?.alpha && transparentDecoders[picture.codec]
  // A build that has its encoder has the decoder of the same library.
  if (!name || !(await ffmpeg()).encoders.has(name)) return []
  return [`-c:v:${picture.position}`, name]
}

/** What intake has found out about a video, or else what its headers say. @throws JobFailure as `probe` does */
export const describeVideo = async ({ path, format, probe: found }: TaskInput): Promise<MediaInfo> =>
  isRecording(found) ? found : await probe(path, format)

/** The picture that is converted; a warning names those that are not. @throws JobFailure `unsupported_input` if there is none */
export function pictureOf({ picture, otherPictures }: MediaInfo, warn: Task['warn']): PictureTrack {
  if (!picture) throw new JobFailure('jobs.unsupported_input', message('video.no_picture'))
  const names = otherPictures.map(
    ({ position, codec, width, height }) => `${position + 1} (${codec}, ${width} × ${height})`,
  )
  if (names.length > 0)
    warn(message('video.other_pictures', { count: names.length, tracks: names.join(', ').slice(0, 100) }))
  return picture
}

/** Size of a picture as it is shown, in pixels. @throws JobFailure */
export function shownSize({ width, height, rotation }: PictureTrack): { width: number; height: number } {
  if (width === 0 || height === 0) throw new JobFailure('jobs.corrupt_input')
  return Math.abs(rotation) % 180 === 90 ? { width: height, height: width } : { width, height }
}
