import type { Catalogue, Edge } from '../catalogue/catalogue.ts'
import { type FormatKey, splitName } from '../catalogue/formats.ts'
import { validateOptions } from '../catalogue/schema.ts'
import type { Measure, Options } from '../catalogue/task.ts'
import type { Config } from '../config.ts'
import { creditsFor, variantOf } from '../credits/pricing.ts'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'
import { guid } from '../stores/ids.ts'
import type { NewJob } from '../stores/jobs.ts'
import type { WorkerPool } from '../workers/pool.ts'
import { sourceOf } from './identify.ts'
import { measure } from './measure.ts'
import { checkSize, type UploadedFile } from './upload.ts'

export interface PrepareParts {
  catalogue: Catalogue
  pool: WorkerPool
  config: Pick<Config, 'maxFileBytes'>
}

export interface Wish {
  accountId: string
  origin: NewJob['origin']
  targetFormat: string
  sourceFormat?: string | undefined
  options: Options
  fileId?: string | null
}

/**
 * Works out which conversion a file and a wish mean, checks them, and prices them.
 * @throws RequestError convert.unsupported_*, request.invalid_extension, request.file_too_large,
 *   convert.invalid_options
 */
export async function prepare(parts: PrepareParts, file: UploadedFile, wish: Wish): Promise<NewJob> {
  const { source, format } = await sourceOf(parts.catalogue, file, wish.sourceFormat)
  const edge = findEdge(parts.catalogue, source, wish.targetFormat)
  const { converter } = edge
  checkSize(file.bytes, Math.min(converter.limits.bytes, parts.config.maxFileBytes))
  const validated = validateOptions(edge, wish.options)
  if ('problem' in validated) throw new RequestError('convert.invalid_options', validated.problem)
  const { measure: measured } = await measureFile(parts, edge, file, format)
  return {
    id: guid(),
    accountId: wish.accountId,
    origin: wish.origin,
    job: converter.job,
    category: converter.category,
    targetKey: edge.targetKey,
    options: validated.options,
    inputName: file.name,
    inputFormat: format,
    inputBytes: file.bytes,
    measure: measured,
    fileId: wish.fileId ?? null,
    creditCost: creditsFor(
      converter.costing,
      { bytes: file.bytes, ...measured },
      variantOf(converter.costing, validated.options),
    ),
  }
}

/** @throws RequestError convert.unsupported_source_format, convert.unsupported_format_pair */
export function findEdge(catalogue: Catalogue, source: string, target: string): Edge {
  const found = catalogue.resolve(source, target)
  if (found.kind === 'found') return found.edge
  if (found.kind === 'unsupported_source') {
    throw new RequestError(
      'convert.unsupported_source_format',
      message('convert.unsupported_source_format', { source }),
      { context: { sourceFormat: source, targetFormat: target, supportedTargets: [] } },
    )
  }
  const { supportedTargets } = found
  throw new RequestError(
    'convert.unsupported_format_pair',
    message('convert.unsupported_format_pair', {
      source: found.source,
      target,
      targets: supportedTargets.join(', '),
    }),
    { context: { sourceFormat: found.source, targetFormat: target, supportedTargets } },
  )
}

/** Pages or minutes of a file, for the price of one conversion. */
export function measureFile(
  parts: Pick<PrepareParts, 'pool'>,
  edge: Edge,
  file: UploadedFile,
  format: FormatKey,
): Promise<{ measure: Measure; problem: string | null }> {
  const { path, name, bytes } = file
  return measure(parts.pool, edge.converter, { path, name, stem: splitName(name).stem, bytes, format })
}
