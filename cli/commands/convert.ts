import { existsSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Step } from '../../sdk/src/index.ts'
import { type Catalogue, type Edge, edgesAlong, loadCatalogue, readOptions } from '../catalogue.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, errorCodeOf, exitCode, exitCodeOf, messageOf, UsageError } from '../exit-codes.ts'
import { findInputs, type InputFile, mergeLivePhotos, namesFromStdin, stdinAsFile } from '../inputs.ts'
import { findPreset, presetOf } from '../presets.ts'
import { Report } from '../report.ts'
import {
  checkTemplate,
  Names,
  resultAt,
  resultPath,
  saveResult,
  unpackResult,
  writeStdout,
} from '../results.ts'
import type { Service } from '../service.ts'

export interface ConvertFlags {
  to?: string
  then: string[]
  from?: string
  out?: string
  name?: string
  set: string[]
  preset?: string
  jobs?: number
  recursive?: boolean
  skipExisting?: boolean
  overwrite?: boolean
  dryRun?: boolean
  unpack?: boolean
  failOnWarnings?: boolean
  json?: boolean
  quiet?: boolean
  null?: boolean
}

/** A conversion of a file, or of what the one before made. */
interface ChosenStep extends Step {
  options: Record<string, unknown>
  edge: Edge | undefined
}

type Steps = readonly ChosenStep[]

/** Names that are listed of files that were left out. */
const LISTED = 5
/** Extensions of what a terminal can show. */
const TEXTS = new Set('ass csv html json jsonl md srt svg txt vtt xml yaml'.split(' '))
const NO_CHOICE = 'preset.no_choice'

const LIVE_PHOTOS =
  'Videos of Live Photos stay with their pictures: --to mp4 takes them, and --set motion=film for gif and webp.'
const MODEL_ADVICE = 'refile models lists the speech models, and refile models install ID downloads one.'

/** `refile convert FILE… --to FORMAT` */
export async function convert(words: string[], flags: ConvertFlags, context: CliContext): Promise<ExitCode> {
  const { settings, signal } = context
  const preset = presetOf(flags, settings)
  if (flags.overwrite && flags.skipExisting)
    throw new UsageError('--overwrite and --skip-existing exclude each other.')
  const template = flags.name || settings.name || '{name}'
  checkTemplate(template)
  const toStdout = words.includes('-') && flags.out === undefined && settings.out === undefined
  if (toStdout && !flags.dryRun) checkStdout(words, flags)
  await using stdin = await stdinOf(words, flags)
  const given = [...words.filter(word => word !== '-'), ...(flags.null ? await namesFromStdin() : [])]
  const inputs = [...(stdin ? [stdin] : []), ...(await findInputs(given, flags.recursive ?? false))]
  if (inputs.length === 0) throw new UsageError('Name at least one file, or - for standard input.')

  const settingsOfReport = { json: flags.json ?? false, quiet: flags.quiet ?? false }
  // A bar beside a text would be within it.
  const report = new Report(settingsOfReport, toStdout ? {} : process.stderr)
  const codes = new Set<ExitCode>()
  let advice = ''
  const leftOut: string[] = []
  const failed = ({ shown, isFromFolder }: InputFile, error: unknown) => {
    const described = { code: errorCodeOf(error), detail: messageOf(error) }
    if (isFromFolder && (exitCodeOf(error) === exitCode.pair || described.code === NO_CHOICE)) {
      leftOut.push(shown)
      return report.result(shown, [], { input: shown, skipped: true, error: described })
    }
    codes.add(exitCodeOf(error))
    if (described.code === 'transcription.model_not_installed') advice = MODEL_ADVICE
    report.failure(shown, messageOf(error), { input: shown, error: described })
  }

  const found = inputs.filter(input => input.problem === undefined)
  for (const input of inputs) if (input.problem) failed(input, input.problem)
  if (found.length === 0) return inputs.length === 1 ? exitCode.usage : exitCode.failed
  const service = await context.service()
  const catalogue = await loadCatalogue(service, signal)
  // What no picture becomes is made of the video.
  const isOfPictures = flags.to === undefined || catalogue.edge('heic', flags.to) !== undefined
  const usable = isOfPictures ? await mergeLivePhotos(found) : found
  if (usable.length < found.length) report.note(LIVE_PHOTOS)
  report.start(usable.length)
  const choose = await chooser({ ...flags, preset }, service, catalogue, signal)
  const check = checker(service, signal)
  const names = new Names()
  const numbers = !flags.overwrite && !flags.skipExisting
  const convertOne = async (input: InputFile, index: number): Promise<void> => {
    const steps = choose(input)
    const { targetFormat: target = '', edge } = steps.at(-1) ?? {}
    const out = flags.out ?? settings.out
    const folder = out === undefined ? input.folder : join(out, input.below)
    const parts = { source: input.name, target, index, extension: edge?.fileExtension ?? target }
    const wanted = resultPath(folder, template, parts)
    // A result that gets a number gets it when it is saved, and another extension if it turns out otherwise.
    const path =
      numbers && !flags.dryRun ? wanted : names.free(wanted, input, numbers ? existsSync : undefined)
    if (flags.skipExisting) {
      const output = await resultAt(
        path,
        flags.unpack ? basename(input.name, extname(input.name)) : undefined,
      )
      if (output !== undefined)
        return report.result(input.shown, [], { input: input.shown, output, skipped: true })
    }
    if (flags.dryRun) {
      await check(input, steps)
      return report.result(input.shown, [`${input.shown} → ${path}`], { input: input.shown, output: path })
    }
    if (toStdout && process.stdout.isTTY && !TEXTS.has(parts.extension))
      throw new UsageError(`${target} is nothing for a terminal. Add > FILE, or name a folder with --out.`)
    const result = await service.client.convert(await input.open(), steps, {
      ...{ signal, sourceFormat: flags.from },
      onProgress: ({ progress }) => report.progress(input.shown, progress.percent),
    })
    const existing = flags.overwrite ? 'replace' : 'number'
    const { knows } = catalogue
    const free = (path: string) => (numbers ? path : names.free(path, input))
    const isUnpacked = flags.unpack && result.fileCount > 1
    const root = out ?? input.folder
    const outputs = isUnpacked
      ? await unpackResult(result, path, existing, knows, { names, root })
      : [
          toStdout
            ? await writeStdout(result)
            : await saveResult(result, path, existing, knows, { free, root }),
        ]
    await result.remove().catch(() => {})
    if (flags.failOnWarnings && result.warnings.length > 0) codes.add(exitCode.failed)
    for (const warning of result.warnings) report.note(`${input.shown}: ${warning}`)
    report.result(input.shown, toStdout ? [] : outputs, {
      input: input.shown,
      ...(isUnpacked ? { outputs } : { output: outputs[0] }),
      warnings: result.warnings,
      credits: result.job.metrics.creditCost,
      job: result.job.id,
    })
  }

  const atOnce = flags.jobs ?? settings.jobs ?? catalogue.maxConcurrentJobs
  const waiting = usable.entries()
  const work = async () => {
    for (const [at, input] of waiting) {
      if (signal.aborted) return
      await convertOne(input, at + 1).catch(error => signal.aborted || failed(input, error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, usable.length) }, work))
  report.finish()
  if (advice) report.note(advice)
  if (leftOut.length > 0) report.note(leftOutNote(leftOut))
  if (leftOut.length === inputs.length) return exitCode.pair
  // One file that failed says why; of many, some did.
  if (codes.size === 0) return exitCode.done
  return inputs.length === 1 ? ([...codes][0] ?? exitCode.failed) : exitCode.failed
}

/** Says which files of folders were left out, as they cannot become what was asked for. */
function leftOutNote(names: readonly string[]): string {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : ''
  const listed = names.toSorted().slice(0, LISTED).join(', ')
  return `Left out, as there is no conversion for ${names.length === 1 ? 'it' : 'them'}: ${listed}${more}`
}

/** Refuses what would mix with a result on standard output. @throws UsageError */
function checkStdout(words: readonly string[], { unpack, json, null: names }: ConvertFlags): void {
  const mixed = [
    [words.some(word => word !== '-') || names, 'Other files beside standard input need'],
    [unpack, '--unpack needs'],
    [json, '--json needs'],
  ].find(([isGiven]) => isGiven)
  if (mixed) throw new UsageError(`${mixed[1]} a folder for the results: name one with --out.`)
}

/** Refuses what the service would refuse of a conversion before it reads the file. */
function checker({ client }: Service, signal: AbortSignal) {
  const schemas = new Map<string, Promise<object>>()
  return async (input: InputFile, steps: Steps): Promise<void> => {
    for (const { targetFormat: target, options, edge } of steps) {
      if (!edge)
        throw new UsageError(
          `Nothing converts ${input.name} to ${target}.`,
          'convert.unsupported_format_pair',
        )
      const { sourceFormat, targetFormat, job } = edge
      const schema = schemas.get(job) ?? client.schema(sourceFormat, targetFormat, signal)
      schemas.set(job, schema)
      const { checkOptions } = await import('../check.ts')
      checkOptions(await schema, options)
    }
  }
}

/** Standard input as a file, if a word asks for it. */
async function stdinOf(
  words: readonly string[],
  flags: ConvertFlags,
): Promise<(InputFile & AsyncDisposable) | undefined> {
  if (!words.includes('-')) return undefined
  if (flags.from === undefined)
    throw new UsageError('Standard input has no name: say what it is, such as --from heic.')
  if (flags.null) throw new UsageError('Standard input cannot be a file and a list of files (-0) at once.')
  return stdinAsFile(flags.from)
}

/** Chooses targets and options of a file, by the flags or by a preset. */
async function chooser(
  flags: Pick<ConvertFlags, 'from' | 'to' | 'then' | 'set'> & { preset: string | undefined },
  service: Service,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<(input: InputFile) => Steps> {
  const set = readOptions(flags.set)
  const first = Object.fromEntries(Object.entries(set).filter(([name]) => !/^\d+$/.test(name)))
  const chain = (source: string, target: string, options: typeof set): Steps =>
    edgesAlong(catalogue, source, [target, ...flags.then]).map((step, nth) => ({
      ...step,
      options: nth === 0 ? options : ((set[nth + 1] ?? {}) as typeof set),
    }))
  const wanted = flags.preset
  const sourceOf = (input: InputFile) => flags.from ?? input.name
  if (wanted === undefined) {
    const target = flags.to ?? ''
    return input => chain(sourceOf(input), target, first)
  }
  const preset = await findPreset(service, wanted, signal)
  return input => {
    const formats = catalogue.edgesOf(sourceOf(input)).map(({ sourceFormat }) => sourceFormat)
    const choice = formats.flatMap(format => preset.choices[format] ?? [])[0]
    const target = flags.to ?? choice?.target
    if (target === undefined)
      throw new UsageError(`The preset "${wanted}" has nothing for this kind of file.`, NO_CHOICE)
    return chain(sourceOf(input), target, { ...choice?.options, ...first })
  }
}
