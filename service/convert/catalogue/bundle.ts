/**
 * Several files as the one input of a job that joins them: a line of JSON that lists them, and their contents in the same order. Only
 * the service writes it, but a worker that reads it trusts nothing in it.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Catalogue } from './catalogue.ts'
import type { Converter } from './converter.ts'

/** A file of a bundle. */
export interface Member {
  name: string
  /** Format key of its content. */
  format: string
  bytes: number
}

/** Largest list of files. */
const LIST_BYTES = 2 ** 20

/** The conversion that turns files of this format into pages of a joined PDF; undefined if there is none. */
export function toPages(catalogue: Catalogue, format: string): Converter | undefined {
  const found = catalogue.resolve(format, 'pdf')
  const converter = found.kind === 'found' ? found.edge.converter : undefined
  // Text of recordings is no page that exists already, and joined files do not contain joined files.
  return converter?.category === 'audio' || converter?.source === 'files' ? undefined : converter
}

/** Writes a bundle. */
export async function writeBundle(
  path: string,
  files: readonly (Member & { open(): Promise<Readable> })[],
): Promise<void> {
  const list = files.map(({ name, format, bytes }) => ({ name, format, bytes }))
  async function* parts() {
    yield Buffer.from(`${JSON.stringify(list)}\n`)
    for (const file of files) yield* await file.open()
  }
  await pipeline(parts, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}

/**
 * Writes the files of a bundle into a folder, as `0`, `1` …
 * @throws RangeError if it is not a bundle
 */
export async function readBundle(path: string, folder: string): Promise<(Member & { path: string })[]> {
  const { list, start } = await listOf(path)
  const found: (Member & { path: string })[] = []
  let at = start
  for (const { name, format, bytes } of list) {
    const own = join(folder, String(found.length))
    await pipeline(createReadStream(path, { start: at, end: at + bytes - 1 }), createWriteStream(own))
    found.push({ name, format, bytes, path: own })
    at += bytes
  }
  return found
}

async function listOf(path: string): Promise<{ list: Member[]; start: number }> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(LIST_BYTES, size)))
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  if (end === -1) throw new RangeError('no list of files')
  const list = parsed(buffer.toString('utf8', 0, end))
  if (list.reduce((sum, { bytes }) => sum + bytes, end + 1) !== size) throw new RangeError('other sizes')
  return { list, start: end + 1 }
}

function parsed(text: string): Member[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list) && list.every(isMember)) return list
  } catch {}
  throw new RangeError('no list of files')
}

const isMember = (value: unknown): value is Member => {
  const { name, format, bytes } = (value ?? {}) as Partial<Member>
  return (
    typeof name === 'string' && typeof format === 'string' && Number.isSafeInteger(bytes) && (bytes ?? 0) > 0
  )
}
