/** Videos that play faster or slower, or in part: what changes the times of each kind of track. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '../../catalogue/task.ts'
import type { Chapter, MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { run } from '../../engines/media/ffmpeg/run.ts'
import { secondsOf, type TimeRange, timeWithin } from '../audio/span.ts'

/** Older versions of ffmpeg change the tempo by no more than this at once. */
const TEMPO_STEP = 2

/** The filter that shows pictures so many times as fast. */
export const spedUp = (speed: number): string[] => (speed === 1 ? [] : [`setpts=PTS/${speed}`])

/** Filters that play sound so many times as fast, at its own pitch. */
export function tempo(speed: number): string[] {
  if (speed === 1) return []
  const steps = Math.ceil(Math.abs(Math.log2(speed)) / Math.log2(TEMPO_STEP))
  return Array.from({ length: steps }, () => `atempo=${(speed ** (1 / steps)).toFixed(6)}`)
}

/** Writes a track of subtitles into a file of Advanced SubStation Alpha, and returns its path. @throws JobFailure as `run` does */
export async function scriptOf(
  { input, folder }: Pick<Task, 'input' | 'folder'>,
  { demuxer }: MediaInfo,
  position: number,
): Promise<string> {
  const path = join(folder, `subtitles-${position}.ass`)
  await run({
    ...{ input: input.path, output: path, demuxer },
    outputOptions: ['-map', `0:s:${position}`, '-c:s', 'ass', '-f', 'ass'],
  })
  return path
}

/**
 * Writes the tracks of subtitles at these positions into files that fit a part of the video that is so many times as fast, since
 * ffmpeg has no filters for them.
 * @throws JobFailure as `run` does
 */
export async function retimed(
  task: Pick<Task, 'input' | 'folder'>,
  media: MediaInfo,
  positions: readonly number[],
  { span, speed }: { span: TimeRange; speed: number },
): Promise<string[]> {
  const paths: string[] = []
  for (const position of positions) {
    const path = await scriptOf(task, media, position)
    await writeFile(path, rescaled(await readFile(path, 'utf8'), span, speed))
    paths.push(path)
  }
  return paths
}

/**
 * A script of Advanced SubStation Alpha with the times of a part that is so many times as fast: lines such as
 * `Dialogue: 0,0:00:01.00,0:00:02.50,…`.
 */
function rescaled(script: string, span: TimeRange, speed: number): string {
  const within = (clock: string) => timeWithin(span, secondsOf(clock))
  const time = (clock: string) => {
    const hundredths = Math.round((within(clock) * 100) / speed)
    const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
    const [whole, rest] = [Math.floor(hundredths / 100), hundredths % 100]
    return `${Math.floor(whole / 3600)}:${two((whole / 60) % 60)}:${two(whole % 60)}.${two(rest)}`
  }
  return script.replaceAll(
    /^(Dialogue: [^,]*),(\d+:\d+:[\d.]+),(\d+:\d+:[\d.]+),(.*\n?)/gm,
    (_, head: string, from: string, to: string, rest: string) =>
      within(to) > within(from) ? `${head},${time(from)},${time(to)},${rest}` : '',
  )
}

/** Writes a file of chapters that ffmpeg reads, for a video that is so many times as fast. */
export async function writeChapters(
  path: string,
  chapters: readonly Chapter[],
  speed: number,
): Promise<void> {
  const milliseconds = (seconds: number) => Math.round((seconds * 1000) / speed)
  const lines = chapters.flatMap(({ start, end, title }) => [
    '[CHAPTER]',
    'TIMEBASE=1/1000',
    `START=${milliseconds(start)}`,
    `END=${milliseconds(end)}`,
    `title=${title.replaceAll(/[=;#\\\n]/g, '\\$&')}`,
  ])
  await writeFile(path, [';FFMETADATA1', ...lines, ''].join('\n'))
}
