/** The recording to convert, whichever engine reads it. */
import type { Readable } from 'node:stream'
import { Readable as ReadableStream } from 'node:stream'
import type { Task } from '../../catalogue/task.ts'
import { probe } from '../../engines/ffmpeg/probe.ts'
import { isRecording, type Recording } from '../../engines/ffmpeg/recording.ts'
import { readPaf } from '../../engines/paf/paf.ts'
import { JobFailure } from '../../errors.ts'

export interface Source {
  recording: Recording
  /** What ffmpeg is to read; a new stream at each call, where it is a stream. */
  open(): { input: string | Readable; demuxer?: string; inputOptions: string[] }
}

/** @throws JobFailure as `probe` and `readPaf` do */
export async function openSource({ input, source }: Pick<Task, 'input' | 'source'>): Promise<Source> {
  if (source === 'paf') return openPaf(input.path)
  // What was found at intake is not looked for once more.
  const recording = isRecording(input.probe) ? input.probe : await probe(input.path)
  if (recording.tracks.length === 0) throw new JobFailure('jobs.no_audio_track')
  return { recording, open: () => ({ input: input.path, inputOptions: [] }) }
}

/** ffmpeg gets the samples without their blocks, since it cannot unpack them. */
async function openPaf(path: string): Promise<Source> {
  const { sampleRate, channels, bits, frames, samples } = await readPaf(path)
  const demuxer = { 8: 's8', 16: 's16le', 24: 's24le' }[bits]
  return {
    recording: {
      container: '',
      seconds: frames / sampleRate,
      soundEnd: null,
      seekable: false,
      estimated: false,
      tags: {},
      chapters: [],
      tracks: [
        {
          ...{ position: 0, codec: `pcm_${demuxer}`, profile: '', sampleRate, channels, bits, float: false },
          ...{ layout: '', language: null, preferred: true },
        },
      ],
    },
    open: () => ({
      input: ReadableStream.from(samples(), { objectMode: false }),
      demuxer,
      inputOptions: ['-ar', String(sampleRate), '-ac', String(channels)],
    }),
  }
}
