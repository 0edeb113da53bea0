import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { splitName } from '../../service/convert/catalogue/formats.ts'
import { withDefaults } from '../../service/convert/catalogue/options.ts'
import { pagesBy } from '../../service/convert/catalogue/run.ts'
import type {
  JsonValue,
  Measure,
  Output,
  Phase,
  Task,
  TaskInput,
} from '../../service/convert/catalogue/task.ts'
import { converters } from '../../service/convert/converters/index.ts'
import { render } from '../../service/shared/messages/render.ts'

export interface Converted {
  outputs: Output[]
  /** Path of the first output. */
  path: string
  folder: string
  warnings: string[]
  progress: { fraction: number; phase: Phase | undefined }[]
}

export function converterOf(job: string) {
  const converter = converters.find(candidate => candidate.job === job)
  if (!converter) throw new Error(`no converter ${job}`)
  return converter
}

export async function inputOf(path: string, source: string): Promise<TaskInput> {
  const name = basename(path)
  const { stem, format } = splitName(name)
  return { path, name, stem, bytes: (await stat(path)).size, format: format ?? source }
}

/**
 * Runs one conversion in this process, without jobs or workers, for tests that check outputs.
 * @param job job type such as `image.jpg-to-webp`
 * @param consumed hears how much of the input was read
 * @param probe the findings of measuring the file, as passed along with a job; a recording is measured if there are none
 */
export async function convertFile(
  job: string,
  path: string,
  options: Record<string, unknown> = {},
  {
    cores = 1,
    probe,
    consumed = () => {},
  }: { cores?: number; probe?: JsonValue | undefined; consumed?: Task['consumed'] } = {},
): Promise<Converted> {
  const converter = converterOf(job)
  if (!converter.load) throw new Error(`${job} has no engine yet`)
  const folder = await mkdtemp(join(tmpdir(), 'refile-test-'))
  const warnings: string[] = []
  const progress: Converted['progress'] = []
  const work = await converter.load()
  const outputs = await work.convert({
    input: { ...(await inputOf(path, converter.source)), probe: probe ?? (await probeOf(converter, path)) },
    source: converter.source,
    target: converter.target,
    options: withDefaults(converter.options, options),
    folder,
    cores,
    progress: (fraction, phase) => progress.push({ fraction, phase }),
    warn: warning => warnings.push(render(warning)),
    consumed,
    pagesOf: pagesBy(converters, folder),
  })
  return { outputs, path: outputs[0]?.path ?? '', folder, warnings, progress }
}

/** What measuring has found in recordings: many a one is converted more than once. */
const probes = new Map<string, JsonValue | undefined>()

/** What intake passes along with a recording: ffmpeg's description of it, which costs a start of ffmpeg. */
async function probeOf({ category, job, measure }: ReturnType<typeof converterOf>, path: string) {
  if (!measure || (category !== 'audio' && category !== 'video')) return undefined
  const { size, mtimeMs } = await stat(path)
  const key = [path, size, mtimeMs].join('\n')
  if (!probes.has(key)) probes.set(key, (await measureFile(job, path)).probe)
  return probes.get(key)
}

/** Measures a file as intake does. */
export async function measureFile(job: string, path: string): Promise<Measure> {
  const converter = converterOf(job)
  if (!converter.measure) throw new Error(`${job} measures nothing`)
  return (await converter.measure()).measure(await inputOf(path, converter.source))
}
