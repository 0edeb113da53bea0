/** The media file to convert, whichever engine reads it. */
import { Readable } from 'node:stream'
import { JobFailure } from '../../../shared/errors.ts'
import type { Task } from '../../catalogue/task.ts'
import { probe } from '../../engines/media/ffmpeg/probe.ts'
import { alone, isRecording, type MediaInfo, nothing } from '../../engines/media/ffmpeg/recording.ts'
import type { Run } from '../../engines/media/ffmpeg/run.ts'
import { readPaf } from '../../engines/media/paf/paf.ts'
import type { Tags } from '../../engines/media/taglib/tags.ts'
import { tagsOf } from './tags.ts'

export interface Source {
  media: MediaInfo
  /** Its tags, cover and chapters; of what is only found out by reading, those that were found until now. */
  tags(): Promise<Tags>
  /** ffmpeg's input; if it is a stream, a new one at each call. */
  open(): Required<Pick<Run, 'input' | 'demuxer' | 'inputOptions'>>
}

/** @throws JobFailure as `probe` and `readPaf` do */
export async function openSource(task: Pick<Task, 'input' | 'source'>): Promise<Source> {
  const source = await soundOf(task)
  return { ...source, tags: () => tagsOf(task.input.path, source.media) }
}

/** A media file without its metadata. */
type Sound = Omit<Source, 'tags'>

async function soundOf({ input, source }: Pick<Task, 'input' | 'source'>): Promise<Sound> {
  if (source === 'paf') return openPaf(input.path)
  // The findings of intake are reused.
  const media = isRecording(input.probe) ? input.probe : await probe(input.path, input.format)
  const [track] = media.tracks
  if (!track) throw new JobFailure('jobs.no_audio_track')
  // ffmpeg only checks the sums of FLAC frames if asked to.
  const inputOptions = media.tracks.some(({ codec }) => codec === 'flac') ? ['-err_detect', 'crccheck'] : []
  return { media, open: () => ({ input: input.path, demuxer: media.demuxer, inputOptions }) }
}

/** ffmpeg gets the unpacked samples, since it cannot read the blocks. */
async function openPaf(path: string): Promise<Sound> {
  const { sampleRate, channels, bits, frames, samples } = await readPaf(path)
  const demuxer = { 8: 's8', 16: 's16le', 24: 's24le' }[bits]
  return {
    media: {
      ...{ ...nothing, container: '', video: false, seconds: frames / sampleRate },
      tracks: [alone({ codec: `pcm_${demuxer}`, sampleRate, channels, bits, float: false })],
    },
    open: () => ({
      input: Readable.from(samples(), { objectMode: false }),
      demuxer,
      inputOptions: ['-ar', String(sampleRate), '-ac', String(channels)],
    }),
  }
}
