/** Measures the minutes of a media file, for its price. */
import type { Measure, TaskInput } from '../../catalogue/task.ts'
import { probe } from '../../engines/media/ffmpeg/probe.ts'
import { readPaf } from '../../engines/media/paf/paf.ts'

/** @throws JobFailure if the file has no audio, is protected or damaged */
export async function measure(input: TaskInput): Promise<Measure> {
  if (input.format === 'paf') {
    const { frames, sampleRate } = await readPaf(input.path)
    return { minutes: frames / sampleRate / 60 }
  }
  const media = await probe(input.path, input.format)
  return { ...(media.seconds === null ? {} : { minutes: media.seconds / 60 }), probe: media }
}
