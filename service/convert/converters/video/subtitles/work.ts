/** Subtitles in one another's formats, as text alone, and out of videos. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { textIn } from '../../../engines/common/text.ts'
import { vobsub } from '../../../engines/media/ffmpeg/probe.ts'
import type { MediaInfo, SubtitleTrack } from '../../../engines/media/ffmpeg/recording.ts'
import { run } from '../../../engines/media/ffmpeg/run.ts'
import { namesOf, trackNamed } from '../../audio/plan.ts'
import type { EncodingOption } from '../../documents/options.ts'
import { isDrawn } from '../burn.ts'
import { describeVideo } from '../source.ts'
import { type DrawnTrack, languageOf, readDrawn } from './drawn.ts'
import type { ReadingOptions, TrackOptions } from './options.ts'
import { tidySrt, tidyVtt, wordsOf } from './text.ts'

/** ffmpeg's demuxers of files of subtitles. */
const DEMUXERS: Record<string, string> = { ass: 'ass', microdvd: 'microdvd', srt: 'srt', vtt: 'webvtt' }

interface Form {
  /** ffmpeg's names of its encoder, which is also that of its muxer. */
  encoder: string
  tidy: (text: string) => string
}

const FORMS: Record<string, Form> = {
  ass: { encoder: 'ass', tidy: text => text },
  srt: { encoder: 'srt', tidy: tidySrt },
  txt: { encoder: 'srt', tidy: text => wordsOf(tidySrt(text)) },
  vtt: { encoder: 'webvtt', tidy: tidyVtt },
}

/** @throws JobFailure corrupt_input, unsupported_input; as `run` does */
export async function convert(task: Task<Partial<TrackOptions> & EncodingOption>): Promise<Output[]> {
  const { input, source, folder, options } = task
  const ofText = DEMUXERS[source]
  if (ofText) {
    task.progress(0, 'converting')
    const path = join(folder, 'decoded')
    const text = textIn(await readFile(input.path), task)
    if (source === 'microdvd' && !/^\s*(.*\n){0,2}\{[01]\}\{\d*\}\s*\d/.test(text))
      task.warn(message('subtitles.assumed_rate', { line: '{1}{1}25.000' }))
    await writeFile(path, text)
    const written = await write(task, { path, demuxer: ofText, position: 0 })
    if (written === null) throw new JobFailure('jobs.corrupt_input', message('subtitles.unreadable'))
    return [written]
  }
  if (source === 'sup') {
    // Their times count from the start of the video, not from the first subtitle.
    const track = { input: input.path, demuxer: 'sup', position: 0, start: 0 }
    return nonEmpty(await read(task, track))
  }
  const media = await describeVideo(input)
  const { demuxer } = media
  const outputs: Output[] = []
  const chosen = tracksOf(media, options.track ?? 'default')
  for (const [index, { position, language, codec }] of chosen.entries()) {
    const onProgress = (fraction: number) => task.progress((index + fraction) / chosen.length)
    const name = chosen.length > 1 ? `.${position + 1}${language ? `-${language}` : ''}` : ''
    if (isDrawn(codec)) {
      // As in a file of `sup`, where no picture says when the video begins.
      const how = source === 'vobsub' ? { ...vobsub, start: 0 } : { demuxer, start: media.start }
      const track = { ...how, input: input.path, position }
      outputs.push(...(await read(task, track, language, name)))
      continue
    }
    const found = { path: input.path, position, seconds: media.seconds, onProgress }
    const written = await write(task, { ...found, demuxer })
    if (written) outputs.push(name ? { ...written, name: `${input.stem}${name}.${task.target}` } : written)
  }
  return nonEmpty(outputs)
}

function nonEmpty(outputs: Output[]): Output[] {
  if (outputs.length === 0) throw new JobFailure('jobs.unsupported_input', message('subtitles.empty_track'))
  return outputs
}

/** Reads subtitles that are pictures. @returns a file of all, and one of those that are always shown if they are a part of them */
async function read(
  task: Task<Partial<ReadingOptions>>,
  track: DrawnTrack,
  language: string | null = null,
  name = '',
): Promise<Output[]> {
  const { all, forced } = await readDrawn(task, track, task.options.ocr?.languages ?? languageOf(language))
  const outputs: Output[] = []
  for (const [kind, script] of Object.entries({ '': all, '.forced': forced })) {
    const path = join(task.folder, `read-${track.position}${kind}`)
    await writeFile(path, script)
    const written =
      script && (await write(task, { path, demuxer: 'srt', position: 0, id: `${track.position}${kind}` }))
    if (!written) continue
    outputs.push(
      name || forced ? { ...written, name: `${task.input.stem}${name}${kind}.${task.target}` } : written,
    )
  }
  return outputs
}

/** The tracks that are wanted; text rather than pictures. @throws JobFailure unsupported_input if there are none */
function tracksOf({ subtitles }: MediaInfo, wanted: string): SubtitleTrack[] {
  const refused = (reason: ReturnType<typeof message>) => new JobFailure('jobs.unsupported_input', reason)
  const readable = subtitles.filter(({ codec }) => !/^(none|dvb_teletext)$/.test(codec))
  const texts = readable.filter(({ codec }) => !isDrawn(codec))
  const best = texts.length > 0 ? texts : readable
  if (!best[0]) {
    const isTeletext = subtitles.some(({ codec }) => codec === 'dvb_teletext')
    throw refused(message(isTeletext ? 'subtitles.teletext' : 'subtitles.none_in_video'))
  }
  if (wanted === 'all') return readable
  if (wanted === 'default') return [best.find(({ preferred }) => preferred) ?? best[0]]
  const found = trackNamed(readable, wanted)
  if (!found) throw refused(message('subtitles.no_such_track', { wanted, tracks: namesOf(readable) }))
  return [found]
}

interface Track {
  path: string
  demuxer?: string | null
  /** Among the tracks of subtitles. */
  position: number
  /** Distinguishes its file from others. */
  id?: string
  seconds?: number | null
  onProgress?: (fraction: number) => void
}

/** Writes a track in the target's format; null if there is nothing in it. */
async function write(
  { folder, target }: Pick<Task, 'folder' | 'target'>,
  { path: input, demuxer, position, id = String(position), seconds, onProgress }: Track,
): Promise<Output | null> {
  const { encoder, tidy } = FORMS[target]!
  const raw = join(folder, `raw-${position}`)
  await run({
    ...{ input, output: raw, demuxer },
    outputOptions: ['-map', `0:s:${position}`, '-c:s', encoder, '-flags:s', '+bitexact', '-f', encoder],
    ...(seconds ? { duration: seconds } : {}),
    onProgress: ({ fraction }) => onProgress?.(fraction ?? 0),
  })
  const text = await readFile(raw, 'utf8')
  await rm(raw)
  if (!/ --> |^Dialogue:/m.test(text)) return null
  const path = join(folder, `output-${id}.${target}`)
  await writeFile(path, tidy(text))
  return { path }
}
