/** Converts one recording into another, and videos into their sound. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Output, Task } from '../../catalogue/task.ts'
import { encodeInParallel, type ParallelEncoding } from '../../engines/ffmpeg/parallel.ts'
import { copyAsM4a } from '../../engines/ffmpeg/rebrand.ts'
import { type Finished, type Progress, run } from '../../engines/ffmpeg/run.ts'
import { type Tags, writeTags } from '../../engines/taglib/tags.ts'
import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'
import { portableName } from '../../names/names.ts'
import { measureLoudness, normalise } from './loudness.ts'
import type { AudioOptions } from './options.ts'
import { partsOf } from './parts.ts'
import { cut, type Plan, planOf, type Span, spanOf } from './plan.ts'
import { openSource, type Source } from './source.ts'
import { adapted, chaptersWithin, chapterTags, tagsOf } from './tags.ts'

/** Most files one recording is split into. */
const CHAPTER_LIMIT = 999

/** Share of the work that measuring takes when the loudness is changed. */
const MEASURING_SHARE = 0.4

/** Bare AAC has no place for tags. */
const tagless = new Set(['aac'])

export async function convert(task: Task<AudioOptions>): Promise<Output[]> {
  const { options } = task
  const source = await openSource(task)
  const { recording } = source
  const job: Job = { task, source, plan: planOf(recording, task.target, options) }
  const span = spanOf(options.trim, recording.estimated ? null : recording.seconds)
  const path = join(task.folder, `output.${task.target}`)
  if (isAllKept(job, span, options) && (await copyAsM4a(task.input.path, path))) return [{ path }]
  const tags =
    options.metadata.strip || tagless.has(task.target) ? null : await tagsOf(task.input.path, recording)
  const { normalize, target } = options.loudness
  const gain = normalize ? await gainFilters(job, span, target) : []
  const progress = (fraction: number) =>
    task.progress(normalize ? MEASURING_SHARE + fraction * (1 - MEASURING_SHARE) : fraction)

  if (options.chapters?.split) {
    const parts = await split(job, tags, span, gain, progress)
    if (parts) return parts
    task.warn(message('recording.no_chapters'))
  }
  await encode(job, path, span, gain, progress)
  if (tags) await tag(task, path, adapted(tags, span, gain.length > 0))
  return [{ path }]
}

/** Whether sound, tags and chapters are to be as they are. */
function isAllKept({ task, plan, source }: Job, { start, end }: Span, options: AudioOptions): boolean {
  const whole = start === 0 && end === null && (source.recording.seconds ?? 0) > 0
  return task.target === 'm4a' && plan.copy && whole && !options.metadata.strip && !options.chapters?.split
}

interface Job {
  task: Task
  source: Source
  plan: Plan
}

/** What every pass over a span needs: how to read it, and the filters that cut it out. */
function passOver({ source, plan }: Job, span: Span) {
  const { soundEnd, seconds } = source.recording
  const end = span.end ?? (plan.copy || plan.track.position > 0 ? null : soundEnd)
  const part = cut({ ...span, end }, plan)
  const { inputOptions, ...input } = source.open()
  const duration =
    span.end === null ? (seconds === null ? undefined : seconds - span.start) : span.end - span.start
  return {
    reading: {
      ...input,
      inputOptions: [...inputOptions, ...part.inputOptions],
      duration,
    },
    filters: part.filters,
  }
}

async function encode(
  job: Job,
  path: string,
  span: Span,
  gain: readonly string[],
  progress: (fraction: number) => void,
): Promise<void> {
  const { task, source, plan } = job
  const pass = passOver(job, span)
  const filters = [...pass.filters, ...plan.filters, ...gain, ...plan.lastFilters]
  const onProgress = ({ fraction }: Progress) => fraction !== null && progress(fraction)
  const { time, damaged } =
    (await encodeInParts(job, span, { output: path, filters, onProgress })) ??
    (await run({
      ...pass.reading,
      output: path,
      outputOptions: [...(filters.length > 0 ? ['-af', filters.join(',')] : []), ...plan.output],
      onProgress,
    }))
  if (time <= 0) {
    await rm(path, { force: true })
    throw new JobFailure('jobs.corrupt_input', message('recording.no_sound'))
  }
  if (damaged > 0) task.warn(message('recording.packets_skipped', { packets: damaged }))
  const { duration = 0 } = pass.reading
  const missing = source.recording.estimated ? 0 : duration - time
  if (missing > Math.max(1, 0.02 * duration)) {
    const expected = clock(duration)
    task.warn(
      time < 1
        ? message('recording.ends_at_once', { expected })
        : message('recording.ends_early', { expected, read: clock(time) }),
    )
  }
}

/** Encodes a long recording on several cores; null when it has to be encoded at once. */
async function encodeInParts(
  { task, source, plan }: Job,
  span: Span,
  rest: Pick<ParallelEncoding, 'output' | 'onProgress'> & { filters: readonly string[] },
): Promise<Finished | null> {
  const { seconds, soundEnd } = source.recording
  const { sampleRate } = plan.track
  const { input } = source.open()
  const parts = partsOf(task, source.recording, plan, span, rest.filters)
  if (parts === 1 || !plan.join || seconds === null || typeof input !== 'string') return null
  return encodeInParallel({
    ...{ ...rest, input, parts, target: plan.join, sampleRate },
    ...{ seconds: soundEnd ?? seconds, end: soundEnd === null ? null : Math.round(soundEnd * sampleRate) },
    ...{ outputOptions: plan.output },
  })
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`

async function gainFilters(job: Job, span: Span, target: number): Promise<string[]> {
  const { task, plan } = job
  const { reading, filters } = passOver(job, span)
  const onProgress = ({ fraction }: Progress) =>
    fraction !== null && task.progress(fraction * MEASURING_SHARE)
  const loudness = await measureLoudness({ ...reading, onProgress }, `0:a:${plan.track.position}`, [
    ...filters,
    ...plan.filters,
  ])
  if (loudness) return normalise(loudness, target)
  task.warn(message('recording.loudness_not_measured'))
  return []
}

/** Writes a file for each chapter; null when there are none. */
async function split(
  job: Job,
  tags: Tags | null,
  span: Span,
  gain: readonly string[],
  progress: (fraction: number) => void,
): Promise<Output[] | null> {
  const { task, source } = job
  // Chapters are needed for their times even where the tags are not wanted.
  const { chapters } = tags ?? (await tagsOf(task.input.path, source.recording))
  const parts = chaptersWithin(chapters, span).filter(({ start, end }) => end > start)
  if (parts.length < 2) return null
  if (parts.length > CHAPTER_LIMIT) {
    throw new JobFailure(
      'jobs.too_large',
      message('recording.too_many_chapters', { chapters: parts.length, limit: CHAPTER_LIMIT }),
    )
  }
  const outputs: Output[] = []
  const digits = String(parts.length).length
  for (const [index, { title, start, end }] of parts.entries()) {
    const number = String(index + 1).padStart(digits, '0')
    const path = join(task.folder, `${number}.${task.target}`)
    const last = index === parts.length - 1
    const part = { start: span.start + start, end: last ? span.end : span.start + end }
    await encode(job, path, part, gain, fraction => progress((index + fraction) / parts.length))
    const name = title.trim() || `Chapter ${index + 1}`
    if (tags) await tag(task, path, chapterTags(tags, name, index + 1, parts.length))
    outputs.push({ path, name: portableName(`${number} ${readable(name)}.${task.target}`) })
  }
  return outputs
}

/** A title without what no file name can hold; a space reads better in its place than anything else. */
const readable = (title: string): string => title.replaceAll(/[\s<>:"/\\|?*]+/g, ' ').trim()

async function tag(task: Task, path: string, tags: Tags): Promise<void> {
  const { properties, pictures, chapters, lyrics } = tags
  if (Object.keys(properties).length + pictures.length + chapters.length + lyrics.length === 0) return
  if (!(await writeTags(path, tags))) task.warn(message('recording.too_large_for_tags'))
}
