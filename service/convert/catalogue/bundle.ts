/**
 * Several files as the one input of a job that joins them: a line of JSON that lists them, and their contents in the same order. Only
 * the service writes it, but a worker that reads it trusts nothing in it.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { JobFailure } from '../../shared/errors.ts'
import type { Catalogue } from './catalogue.ts'
import type { Converter } from './converter.ts'

/** A file of a bundle. */
export interface BundleFile {
  name: string
  /** Format key of its content. */
  format: string
  bytes: number
  /** Minutes of a media file, as far as they are known. */
  minutes?: number | undefined
}

/** A file of a bundle that was written into a folder. */
export type BundledFile = BundleFile & { path: string }

/** Formats of bundles, and what each of their files can become by itself: pages, moving pictures, or sound. */
const bundles = { files: 'pdf', videos: 'mp4', recordings: 'mp3' } as const
export type Bundle = keyof typeof bundles

export const isBundle = (format: string | null | undefined): format is Bundle =>
  typeof format === 'string' && Object.hasOwn(bundles, format)

/** Largest list of files. */
const LIST_BYTES = 2 ** 20

/** The conversion that turns a file of this format into what such a bundle joins; undefined if there is none. */
export function joinedBy(catalogue: Catalogue, bundle: Bundle, format: string): Converter | undefined {
  const found = catalogue.resolve(format, bundles[bundle])
  const converter = found.kind === 'found' ? found.edge.converter : undefined
  // Joined files do not contain joined files, text of media files is no page that exists already, and an animation has no minutes.
  if (!converter || isBundle(converter.source)) return undefined
  const isOther =
    bundle === 'files' ? converter.category === 'audio' : converter.costing.strategy !== 'PerMinute'
  return isOther ? undefined : converter
}

/** Writes a bundle. */
export async function writeBundle(
  path: string,
  files: readonly (BundleFile & { open(): Promise<Readable> })[],
): Promise<void> {
  const list = files.map(({ name, format, bytes, minutes }) => ({ name, format, bytes, minutes }))
  async function* parts() {
    yield Buffer.from(`${JSON.stringify(list)}\n`)
    for (const file of files) yield* await file.open()
  }
  await pipeline(parts, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}

/**
 * Writes the files of a bundle into a folder, as `file-0`, `file-1` …
 * @throws JobFailure `corrupt_input` if it is not a bundle
 */
export async function readBundle(path: string, folder: string): Promise<BundledFile[]> {
  const { list, start } = await listOf(path)
  const found: BundledFile[] = []
  let at = start
  for (const { name, format, bytes } of list) {
    const own = join(folder, `file-${found.length}`)
    await pipeline(createReadStream(path, { start: at, end: at + bytes - 1 }), createWriteStream(own))
    found.push({ name, format, bytes, path: own })
    at += bytes
  }
  return found
}

/**
 * Minutes of all files of a bundle, as far as they are known.
 * @throws JobFailure `corrupt_input` if it is not a bundle
 */
export const minutesIn = async (path: string): Promise<number> => minutesOf((await listOf(path)).list)

export const minutesOf = (files: readonly Pick<BundleFile, 'minutes'>[]): number =>
  files.reduce((sum, { minutes = 0 }) => sum + minutes, 0)

async function listOf(path: string): Promise<{ list: BundleFile[]; start: number }> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(LIST_BYTES, size)))
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  if (end === -1) throw new JobFailure('jobs.corrupt_input')
  const list = parsed(buffer.toString('utf8', 0, end))
  if (list.reduce((sum, { bytes }) => sum + bytes, end + 1) !== size)
    throw new JobFailure('jobs.corrupt_input')
  return { list, start: end + 1 }
}

function parsed(text: string): BundleFile[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list) && list.every(isMember)) return list
  } catch {}
  throw new JobFailure('jobs.corrupt_input')
}

const isMember = (value: unknown): value is BundleFile => {
  const { name, format, bytes, minutes = 0 } = (value ?? {}) as Partial<BundleFile>
  const isNamed = typeof name === 'string' && typeof format === 'string'
  return isNamed && Number.isSafeInteger(bytes) && (bytes ?? 0) > 0 && Number.isFinite(minutes)
}
