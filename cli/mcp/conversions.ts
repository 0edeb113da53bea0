import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileFrom, type Job } from '../../sdk/src/index.ts'
import { type Catalogue, edgesAlong } from '../catalogue.ts'
import { UsageError } from '../exit-codes.ts'
import { resultPath, saveResult, unpackResult } from '../results.ts'
import type { Service } from '../service.ts'
import type { Folders } from './folders.ts'

/** A conversion as a caller asks for it. */
export interface Request {
  path: string
  to: string
  from?: string | undefined
  options?: Record<string, unknown> | undefined
  /** What the result is to become in the same job. */
  furtherSteps?: { to: string; options?: Record<string, unknown> }[] | undefined
  /** Folder for the result, below that of the file. */
  outputFolder?: string | undefined
}

/** A result that was saved. */
export interface Saved {
  /** Several, if the conversion makes several files. */
  paths: string[]
  bytes: number
  contentType: string
  fileCount: number
  warnings: readonly string[]
  credits: number
  job: string
}

export interface Following {
  signal: AbortSignal
  onProgress?: (job: Job) => void
  /** Called with the job's id once it is queued. */
  onSubmitted?: (id: string) => void
}

export interface Parts {
  service: Service
  catalogue: Catalogue
  folders: Folders
}

/** How much of a text is returned at once, in characters. */
const TEXT_LENGTH = 60_000

/** Converts a file and saves the result beside it, or below. */
export async function convertFile(parts: Parts, request: Request, following: Following): Promise<Saved> {
  const { path, steps, name, source } = await prepare(parts, request)
  const folder = await parts.folders.output(path, request.outputFolder)
  const settings = { sourceFormat: request.from, ...following }
  const result = await parts.service.client.convert(source, steps, settings)
  const { edge, targetFormat: target = request.to } = steps.at(-1) ?? {}
  const extension = edge?.fileExtension ?? target
  const planned = resultPath(folder, '{name}', { source: name, target, index: 1, extension })
  const { knows } = parts.catalogue
  const paths =
    result.fileCount > 1
      ? await unpackResult(result, planned, 'number', knows)
      : [await saveResult(result, planned, 'number', knows)]
  await result.remove().catch(() => {})
  const { contentType, fileCount, warnings, job } = result
  const sizes = await Promise.all(paths.map(async saved => (await stat(saved)).size))
  return {
    paths,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    contentType,
    fileCount,
    warnings,
    credits: job.metrics.creditCost,
    job: job.id,
  }
}

/** Converts a file to a text and returns its beginning; nothing is saved. */
export async function readText(
  parts: Parts,
  request: Request,
  following: Following,
): Promise<{ text: string; isWhole: boolean; warnings: readonly string[] }> {
  const { source, steps } = await prepare(parts, request)
  const settings = { sourceFormat: request.from, ...following }
  const result = await parts.service.client.convert(source, steps, settings)
  const reader = (await result.stream()).pipeThrough(new TextDecoderStream() as never).getReader()
  let text = ''
  let isWhole = false
  while (text.length <= TEXT_LENGTH) {
    const { done, value } = (await reader.read()) as ReadableStreamReadResult<string>
    isWhole = done
    if (done) break
    text += value
  }
  await reader.cancel().catch(() => {})
  await result.remove().catch(() => {})
  if (result.fileCount > 1)
    throw new UsageError(
      'The result is several files. Use convert_file, which saves them.',
      'result.several_files',
    )
  isWhole &&= text.length <= TEXT_LENGTH
  return { text: text.slice(0, TEXT_LENGTH).toWellFormed(), isWhole, warnings: result.warnings }
}

/** Checks all that can be checked before the file is sent. */
async function prepare({ catalogue, folders }: Parts, { path: given, from, ...first }: Request) {
  const { path, stamp } = await folders.input(given)
  const name = basename(path)
  const wanted = [first, ...(first.furtherSteps ?? [])]
  const steps = edgesAlong(
    catalogue,
    from ?? name,
    wanted.map(({ to }) => to),
  ).map((step, nth) => ({ ...step, options: wanted[nth]?.options }))
  const edge = steps[0]?.edge
  if (edge && stamp.size > edge.maxFileSizeBytes) {
    const limit = Math.floor(edge.maxFileSizeBytes / 1e6)
    throw new UsageError(
      `${name} is larger than ${limit} MB, the limit for this conversion.`,
      'request.file_too_large',
    )
  }
  return { path, name, steps, source: await fileFrom(path, name, stamp) }
}

/** Options of an answer that is one text: without the pictures of a document, which are files beside it. */
export async function textOptions({ service, catalogue }: Parts, path: string, to: string) {
  const from = catalogue.edge(basename(path), to)?.sourceFormat ?? ''
  const { properties } = (await service.client.schema(from, to)) as {
    properties?: { pictures?: { enum?: string[] } }
  }
  return properties?.pictures?.enum?.includes('none') ? { pictures: 'none' } : undefined
}

/** The targets of a file or format that are texts, best first. */
export function textTarget(catalogue: Catalogue, path: string): string {
  const targets = catalogue.edgesOf(basename(path)).map(({ targetFormat }) => targetFormat)
  const found = ['md', 'txt'].find(target => targets.includes(target))
  if (found !== undefined) return found
  throw new UsageError(
    targets.length > 0
      ? `${extname(path).slice(1)} cannot become text. It can become ${targets.join(', ')}; pdf, docx and pptx can become text.`
      : `The format of ${basename(path)} is not known.`,
    targets.length > 0 ? 'convert.unsupported_format_pair' : 'convert.unsupported_source_format',
  )
}
