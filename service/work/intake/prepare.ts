import type { Funds } from '../../accounts/funds.ts'
import { creditsFor, variantOf } from '../../accounts/pricing.ts'
import { type Catalogue, type Edge, resultFormat } from '../../convert/catalogue/catalogue.ts'
import { measured } from '../../convert/catalogue/costing.ts'
import { type FormatKey, isFormatKey, splitName } from '../../convert/catalogue/formats.ts'
import { validateOptions } from '../../convert/catalogue/schema.ts'
import type { Measure, Options } from '../../convert/catalogue/task.ts'
import type { WorkerPool } from '../../sandbox/workers/pool.ts'
import type { Config } from '../../shared/config.ts'
import { RequestError, type RequestErrorCode } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'
import { guid } from '../../store/interfaces/ids.ts'
import type { NewJob } from '../../store/interfaces/jobs.ts'
import { identify, sourceOf } from './identify.ts'
import { measure } from './measure.ts'
import { checkSize, type UploadedFile } from './upload.ts'

export interface ConversionParts {
  catalogue: Catalogue
  config: Pick<Config, 'maxFileBytes' | 'rebuildDocuments'>
}

export interface PrepareParts extends ConversionParts {
  pool: WorkerPool
  funds: Pick<Funds, 'check'>
}

/** A target with the options of its conversion. */
export interface RequestedStep {
  targetFormat: string
  options: Options
}

/** A requested conversion. */
export interface ConversionRequest extends RequestedStep {
  accountId: string
  origin: NewJob['origin']
  /** The API key of the request. */
  keyId?: string | null
  sourceFormat?: string | undefined
  /** What its result is to become within the same job, in order. */
  furtherSteps?: readonly RequestedStep[]
}

/** A conversion with all of its options. */
interface Step {
  edge: Edge
  options: Options
}

/**
 * Determines which conversion a request for an uploaded file means, checks it, measures the file and calculates the
 * price.
 * @throws RequestError convert.unsupported_*, request.invalid_extension, request.file_too_large,
 * convert.invalid_options; entitlements.insufficient_credits if not even one unit can be paid, which saves measuring
 * @param signal aborts when nobody waits for the job any more
 */
export async function prepare(
  parts: PrepareParts,
  file: UploadedFile,
  request: ConversionRequest,
  signal?: AbortSignal,
): Promise<NewJob> {
  const { path, name, bytes } = file
  const found = file.format ?? (await identify(path, name))
  const { format, ...steps } = conversionOf(parts, { name, bytes, format: found }, request)
  const { edge, options } = steps
  const input = { path, name, stem: splitName(name).stem, bytes, format }
  const { costing } = edge.converter
  const least = creditsFor(costing, { bytes }, variantOf(costing, options))
  await parts.funds.check(request, least)
  const waiter = { accountId: request.accountId, signal }
  const { measure: size } = await measure(parts.pool, edge.converter, input, waiter)
  return newJob({ file: { name, bytes, format }, ...steps, size, request, fileId: null })
}

/**
 * The same for a staged file, which was identified and measured at upload and is not examined again.
 * @throws RequestError as `prepare` does
 */
export function prepareStaged(
  parts: ConversionParts,
  { id, name, bytes, format: known, measure: size }: FileRecord,
  request: ConversionRequest,
): NewJob {
  const found = known !== null && isFormatKey(known) ? known : undefined
  const { format, ...steps } = conversionOf(parts, { name, bytes, format: found }, request)
  return newJob({ file: { name, bytes, format }, ...steps, size, request, fileId: id })
}

/** The requested conversions and their options with all defaults, checked. */
function conversionOf(
  { catalogue, config }: ConversionParts,
  file: { name: string; bytes: number; format: FormatKey | undefined },
  request: ConversionRequest,
): Step & { format: FormatKey; further: Step[] } {
  const { source, format } = sourceOf(catalogue, file, request.sourceFormat)
  const edge = findEdge(catalogue, source, request.targetFormat)
  checkSize(file.bytes, Math.min(edge.converter.limits.bytes, config.maxFileBytes))
  const options = optionsFor(edge, request.options, config)
  return { edge, format, options, further: furtherSteps({ catalogue, config }, edge, request.furtherSteps) }
}

/** The conversions after the first, each of what the one before makes. @throws RequestError as the first is refused */
export function furtherSteps(
  { catalogue, config }: ConversionParts,
  first: Edge,
  steps: readonly RequestedStep[] = [],
): Step[] {
  let edge = first
  return steps.map(({ targetFormat, options }) => {
    edge = findEdge(catalogue, resultFormat(edge), targetFormat)
    return { edge, options: optionsFor(edge, options, config) }
  })
}

/**
 * Options of a conversion, with all defaults, and with what the owner has decided for all.
 * @throws RequestError convert.invalid_options
 */
export function optionsFor(
  edge: Edge,
  given: Options,
  { rebuildDocuments }: Pick<Config, 'rebuildDocuments'>,
): Options {
  const validated = validateOptions(edge, given)
  if ('problem' in validated) throw new RequestError('convert.invalid_options', validated.problem)
  const { options } = validated
  return rebuildDocuments && 'rebuild' in options ? { ...options, rebuild: true } : options
}

interface Parts extends Step {
  file: { name: string; bytes: number; format: FormatKey }
  further: Step[]
  size: Measure
  request: ConversionRequest
  fileId: string | null
}

function newJob({ file, edge, options, further, size, request, fileId }: Parts): NewJob {
  const { converter, targetKey } = edge
  const { pages, minutes } = size
  const quantity = measured({ bytes: file.bytes, pages, minutes })
  const costOf = ({ edge: { converter }, options }: Step) =>
    creditsFor(converter.costing, quantity, variantOf(converter.costing, options))
  return {
    id: guid(),
    accountId: request.accountId,
    origin: request.origin,
    keyId: request.keyId ?? null,
    job: converter.job,
    category: converter.category,
    targetKey,
    options,
    inputName: file.name,
    inputFormat: file.format,
    inputBytes: file.bytes,
    measure: size,
    fileId,
    furtherSteps: further.map(step => ({
      job: step.edge.converter.job,
      targetKey: step.edge.targetKey,
      options: step.options,
    })),
    // What the file itself does not say of a later step, such as the pages of what is yet to be made, costs its least.
    creditCost: [{ edge, options }, ...further].reduce((sum, step) => sum + costOf(step), 0),
  }
}

/**
 * @param area of the API that is asked, whose codes a refusal has
 * @throws RequestError *.unsupported_source_format, *.unsupported_format_pair
 */
export function findEdge(
  catalogue: Catalogue,
  source: string,
  target: string,
  area: 'convert' | 'estimate' | 'schema' = 'convert',
): Edge {
  const found = catalogue.resolve(source, target)
  if (found.kind === 'found') return found.edge
  const refused = (
    code: RequestErrorCode,
    reason: Message,
    sourceFormat: string,
    supportedTargets: string[],
  ) => new RequestError(code, reason, { context: { sourceFormat, targetFormat: target, supportedTargets } })
  if (found.kind === 'unsupported_source') {
    const code = `${area}.unsupported_source_format` as const
    throw refused(code, message(code, { source }), source, [])
  }
  const code = `${area}.unsupported_format_pair` as const
  const targets = found.supportedTargets.join(', ')
  throw refused(
    code,
    message(code, { source: found.source, target, targets }),
    found.source,
    found.supportedTargets,
  )
}
