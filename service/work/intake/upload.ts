import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { MEGABYTE } from '../../convert/catalogue/costing.ts'
import { RequestError } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { cleanName } from '../../shared/names/names.ts'
import { guid } from '../../store/interfaces/ids.ts'

export interface UploadedFile {
  /** Where the file is until it is taken over or discarded. */
  path: string
  /** The name given by the sender, without folders. */
  name: string
  bytes: number
}

export interface Upload {
  fields: Map<string, string>
  file: UploadedFile | undefined
  /** Deletes whatever is still on disk. */
  discard(): Promise<void>
}

/** Buffer between the parser and the disk; with a smaller one, large uploads take twice as long. */
const CHUNK_BYTES = 2 ** 19
/** Longest text field, options included. */
const FIELD_BYTES = 2 ** 20
const MAX_FIELDS = 50

const tooLarge = (bytes: number) =>
  new RequestError(
    'request.file_too_large',
    message('request.file_too_large', { megabytes: Math.floor(bytes / MEGABYTE) }),
    { context: { megabytes: Math.floor(bytes / MEGABYTE) } },
  )

/** @throws RequestError request.file_too_large */
export function checkSize(bytes: number, limit: number): void {
  if (bytes > limit) throw tooLarge(limit)
}

/**
 * Streams a multipart body to `folder`, in constant memory.
 * @param maxBytes largest file accepted
 * @throws RequestError if the body is invalid, has several files, or a file is empty or too large; nothing
 * is then left on disk
 */
export async function receiveUpload(
  request: IncomingMessage,
  folder: string,
  maxBytes: number,
): Promise<Upload> {
  const path = join(folder, guid())
  const discard = () => rm(path, { force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const { fields, names, isUnnamed } = await readParts(request, path, maxBytes)
    if (names.length > 1) {
      throw new RequestError('request.multiple_files')
    }
    const [name] = names
    if (name === undefined) return { fields, file: undefined, discard }
    const { size } = await stat(path)
    // A form in which no file was chosen sends a part without a name and without content.
    if (size === 0 && isUnnamed) {
      await discard()
      return { fields, file: undefined, discard }
    }
    if (size === 0) throw new RequestError('request.empty_file', message('request.empty_file', { name }))
    return { fields, file: { path, name, bytes: size }, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

function readParts(request: IncomingMessage, path: string, maxBytes: number) {
  const fields = new Map<string, string>()
  const names: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = createParser(request, maxBytes)
  let isUnnamed = false
  let file: Readable | undefined
  let target: WriteStream | undefined
  let written: Promise<void> = Promise.resolve()
  // Only the first of several problems is reported. The rest of the body is not read.
  const fail = (error: unknown) => {
    request.unpipe(parser)
    file?.destroy(new Error('upload refused'))
    void written.finally(() => reject(error))
  }
  const onBrokenOff = (error?: unknown) =>
    fail(
      error instanceof RequestError || isSystemError(error)
        ? error
        : malformed(message('request.broken_off')),
    )
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) fail(malformed(message('request.field_too_long', { name })))
    else fields.set(name, value)
  })
  parser.on('fieldsLimit', () => fail(malformed(message('request.too_many_fields'))))
  // A part of unknown type is a file, with or without a name.
  parser.on('file', (field, stream, fileName: string | undefined = '') => {
    // Emitted when the body ends inside the part; without a listener it would crash the process.
    stream.on('error', onBrokenOff)
    if (field !== 'file') return void stream.resume()
    // Forms encode a quotation mark in a name as %22; see the HTML standard, section 4.10.22.8.
    isUnnamed = fileName === ''
    names.push(cleanName(fileName.replaceAll('%22', '"')))
    if (names.length > 1) return void stream.resume()
    file = stream
    stream.on('limit', () => fail(tooLarge(maxBytes)))
    target = createWriteStream(path, { highWaterMark: CHUNK_BYTES, flags: 'wx', mode: 0o600 })
    written = pipeline(stream, target).catch(error => {
      // The part's own errors are the sender's fault and reported by the parser.
      if (!isSystemError(error)) return
      request.unpipe(parser)
      reject(error)
    })
  })
  parser.on('error', onBrokenOff)
  parser.on('finish', () => void written.then(releaseAll).then(resolve))
  request.on('error', onBrokenOff)
  request.on('close', () => request.readableEnded || onBrokenOff())
  const releaseAll = releaseWritten(request, () => target?.bytesWritten ?? 0)
  request.pipe(parser)
  return promise.then(() => ({ fields, names, isUnnamed }))
}

/**
 * Frees the memory of received chunks as soon as they are on disk. V8 also counts memory outside its heap and runs a full
 * garbage collection after every few megabytes, which blocks every caller and halves the speed of uploads.
 * @param bytesWritten how much of the file is on disk
 * @returns frees the rest, once nobody needs the body any more
 */
function releaseWritten(request: IncomingMessage, bytesWritten: () => number): () => void {
  const held: { memory: ArrayBuffer; end: number }[] = []
  let received = 0
  const releaseUpTo = (end: number) => {
    while (held[0] && held[0].end <= end) held.shift()?.memory.transfer(0)
  }
  request.on('data', ({ buffer, byteLength }: Buffer) => {
    received += byteLength
    // Small chunks share their memory with others.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
      held.push({ memory: buffer, end: received })
    // The file is part of the body: once this many bytes of it are written, the body is not needed up to here.
    releaseUpTo(bytesWritten())
  })
  return () => releaseUpTo(received)
}

function createParser(request: IncomingMessage, maxBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      highWaterMark: CHUNK_BYTES,
      fileHwm: CHUNK_BYTES,
      limits: { fileSize: maxBytes, fieldSize: FIELD_BYTES, fields: MAX_FIELDS },
    })
  } catch {
    throw malformed(message('request.no_boundary'))
  }
}

const malformed = (reason: Message) => new RequestError('request.invalid_content_type', reason)

/** Whether the operating system refused to store the data, as opposed to connection errors. */
const isSystemError = (error: unknown) =>
  error instanceof Error &&
  ['open', 'write', 'close'].includes(String((error as NodeJS.ErrnoException).syscall))
