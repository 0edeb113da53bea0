import type { Readable } from 'node:stream'
import type { TaskInput } from '../../catalogue/task.ts'
import { probe } from '../../engines/ffmpeg/probe.ts'
import { isRecording, type Recording } from '../../engines/ffmpeg/recording.ts'
import type { Span } from '../audio/plan.ts'

/** Arguments that read only a span. */
export const reading = ({ start, end }: Span): string[] => [
  ...(start > 0 ? ['-ss', start.toFixed(6)] : []),
  ...(end === null ? [] : ['-t', (end - start).toFixed(6)]),
]

/** A video, however it is read. */
export interface VideoSource {
  recording: Recording
  /** ffmpeg's input, of which it reads this span; if it is a stream, a new one at each call. */
  open(span: Span): { input: string | Readable; demuxer?: string; inputOptions: readonly string[] }
}

/** @throws JobFailure as `probe` does */
export async function openVideo(input: TaskInput): Promise<VideoSource> {
  const recording = await describeVideo(input)
  const demuxer = recording.demuxer ? { demuxer: recording.demuxer } : {}
  return {
    recording,
    open: span => ({ input: input.path, ...demuxer, inputOptions: reading(span) }),
  }
}

/** What intake has found out about a video, or else what its headers say. @throws JobFailure as `probe` does */
export const describeVideo = async ({ path, format, probe: found }: TaskInput): Promise<Recording> =>
  isRecording(found) ? found : await probe(path, format)
