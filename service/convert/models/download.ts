import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Message, message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { OutboundError } from '../../shared/net/errors.ts'
import type { Outbound, OutboundResponse } from '../../shared/net/outbound.ts'
import type { Model } from './model.ts'

export type ModelProblem = 'checksum_mismatch' | 'disk_full' | 'download_failed' | 'unknown_model'

/** A model that could not be installed. */
export class ModelError extends Error {
  readonly code: ModelProblem
  /** Why, for people. */
  readonly reason: Message

  constructor(code: ModelProblem, reason: Message, options?: ErrorOptions) {
    super(render(reason), options)
    this.name = 'ModelError'
    this.code = code
    this.reason = reason
  }
}

export interface Download {
  folder: string
  outbound: Outbound
  signal: AbortSignal
  /** The number of bytes received, and the total if the server gives it. */
  onProgress: (received: number, total: number | null) => void
}

/** Where an unfinished download is kept for resuming. */
export const partOf = (folder: string, { file }: Model): string => join(folder, `${file}.part`)

/**
 * Downloads a model, resuming an earlier attempt, verifies it and installs it. A file under the model's own name is always
 * complete and verified.
 * @throws ModelError; OutboundError if the request fails; the signal's reason if aborted: what has arrived is kept
 * for the next attempt
 */
export async function download(
  model: Model,
  { folder, outbound, signal, onProgress }: Download,
): Promise<void> {
  const part = partOf(folder, model)
  await mkdir(dirname(part), { recursive: true })
  const have = await sizeOf(part)
  await using answer = await outbound(model.address, {
    headers: { 'accept-encoding': 'identity', ...(have > 0 ? { range: `bytes=${have}-` } : {}) },
    maxBytes: model.mostBytes,
    signal,
  })
  const { from, total } = extentOf(answer, have)
  await checkSpace(folder, (total ?? model.mostBytes) - from)
  const hash = createHash(model.checksum.algorithm)
  const file = await open(part, from > 0 ? 'r+' : 'w')
  try {
    await file.truncate(from)
    if (from > 0) await digest(part, hash)
    onProgress(from, total)
    if (answer.status !== 416)
      await receive(answer, file, from, model, hash, received => onProgress(received, total))
    await file.sync().catch(async error => {
      // What the system could not write may be gone, though it can still be read until then.
      await rm(part, { force: true })
      throw error
    })
  } catch (error) {
    throw asModelError(error)
  } finally {
    await file.close()
  }
  signal.throwIfAborted()
  if (hash.digest('hex') !== model.checksum.hex) {
    await rm(part, { force: true })
    throw new ModelError('checksum_mismatch', message('models.checksum_mismatch', { name: model.name }))
  }
  await install(model, part, folder).catch(error => {
    throw asModelError(error)
  })
}

/** Installs a model from its verified file `downloaded`, which is removed. */
export async function install(model: Model, downloaded: string, folder: string): Promise<void> {
  const path = join(folder, model.file)
  if (!model.unpack) return rename(downloaded, path)
  const unpacked = `${path}.unpacked`
  try {
    // What an attempt that was killed has left.
    await rm(unpacked, { recursive: true, force: true })
    await model.unpack(downloaded, unpacked)
    // A folder does not replace another.
    if (model.isFolder) await rm(path, { recursive: true, force: true })
    await rename(unpacked, path)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
  await rm(downloaded, { force: true })
}

/** At which offset of the file the answer's body starts, and how long the whole file is. */
function extentOf(
  { status, headers }: OutboundResponse,
  have: number,
): { from: number; total: number | null } {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  if (status === 200) return { from: 0, total: Number.isFinite(length) ? length : null }
  const range = headers.get('content-range') ?? ''
  const total = Number(/\/(\d+)$/.exec(range)?.[1] ?? Number.NaN)
  if (status === 206 && Number(/^bytes (\d+)-/.exec(range)?.[1]) === have && have > 0) {
    return { from: have, total: Number.isFinite(total) ? total : null }
  }
  // The whole file has already been received; the checksum decides.
  if (status === 416 && have > 0) return { from: have, total: have }
  throw new ModelError('download_failed', message('models.server_error', { status }))
}

async function receive(
  { body }: OutboundResponse,
  file: FileHandle,
  from: number,
  model: Model,
  hash: Hash,
  onProgress: (received: number) => void,
): Promise<void> {
  let position = from
  for await (const piece of body) {
    if (position + piece.length > model.mostBytes) {
      throw new OutboundError('too_large', message('models.too_large'))
    }
    hash.update(piece)
    for (let done = 0; done < piece.length; ) {
      done += (await file.write(piece, done, piece.length - done, position + done)).bytesWritten
    }
    position += piece.length
    onProgress(position)
  }
}

/** Feeds a whole file to `hash`. */
async function digest(path: string, hash: Hash): Promise<void> {
  for await (const piece of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(piece as Buffer)
}

/** Size of a file; 0 if there is none. */
export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

const diskFull = (options?: ErrorOptions) => new ModelError('disk_full', message('models.disk_full'), options)

async function checkSpace(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed) throw diskFull()
}

function asModelError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskFull({ cause: error }) : error
}
