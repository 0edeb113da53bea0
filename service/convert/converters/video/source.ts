import type { TaskInput } from '../../catalogue/task.ts'
import { probe } from '../../engines/ffmpeg/probe.ts'
import { isRecording, type Recording } from '../../engines/ffmpeg/recording.ts'

/** What intake has found out about a video, or else what its headers say. @throws JobFailure as `probe` does */
export const describeVideo = async ({ path, format, probe: found }: TaskInput): Promise<Recording> =>
  isRecording(found) ? found : await probe(path, format)
