/** Frames of videos. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../shared/errors.ts'
import type { TaskInput } from '../catalogue/task.ts'
import videos from '../converters/video/index.ts'
import { squarePixels } from '../converters/video/shape.ts'
import { shownTime } from '../converters/video/shown-time.ts'
import { isRecording } from '../engines/media/ffmpeg/recording.ts'
import { run } from '../engines/media/ffmpeg/run.ts'
import { shownFile, type UprightPicture, type Wanted } from './shown.ts'

export const isVideo = (format: string): boolean =>
  format !== 'gif' && videos.some(({ sources }) => sources.some(source => source === format))

/** How long ffmpeg may look for a frame. */
const SECONDS = 10

/** A frame from near the beginning, or the first one of a short video; undefined if there is only audio. @throws JobFailure */
export async function frame(input: TaskInput, wanted: Wanted): Promise<UprightPicture | undefined> {
  const at = shownTime(isRecording(input.probe) ? input.probe.seconds : null)
  try {
    return (await frameAt(input.path, at, wanted)) ?? (await frameAt(input.path, 0, wanted))
  } catch (error) {
    // ffmpeg's error for a missing track.
    if (error instanceof JobFailure && error.code === 'jobs.no_audio_track') return undefined
    throw error
  }
}

/** The frame shown at a time in seconds; undefined after the last. @throws JobFailure */
export async function frameAt(
  path: string,
  at: number,
  { edge, folder }: Wanted,
): Promise<UprightPicture | undefined> {
  const output = join(folder, `frame-${Math.round(at * 1000)}.png`)
  const inside = `scale='min(${edge},iw)':'min(${edge},ih)':force_original_aspect_ratio=decrease`
  await run({
    input: path,
    inputOptions: ['-ss', String(at), '-threads', '1'],
    output,
    outputOptions: [
      ...['-map', '0:v:0', '-an', '-sn', '-dn', '-frames:v', '1'],
      ...[
        '-vf',
        [...squarePixels, inside].join(','),
        '-threads',
        '1',
        '-c:v',
        'png',
        '-f',
        'image2',
        '-update',
        '1',
      ],
    ],
    seconds: SECONDS,
  })
  const isWritten = await stat(output).catch(() => undefined)
  return isWritten && shownFile(output, false)
}
