import { createHash, type Hash } from 'node:crypto'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { isBundle } from '../../convert/catalogue/bundle.ts'
import { globalLimits } from '../../convert/catalogue/converter.ts'
import { MEGABYTE } from '../../convert/catalogue/costing.ts'
import type { FormatKey } from '../../convert/catalogue/formats.ts'
import { RequestError } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { cleanName } from '../../shared/names/names.ts'
import { removeTree } from '../../shared/remove-tree.ts'
import { guid } from '../../store/interfaces/ids.ts'

export interface UploadedFile {
  /** Where the file is until it is taken over or discarded. */
  path: string
  /** The name given by the sender, without folders. */
  name: string
  bytes: number
  /** SHA-256 of its bytes in hex, of an upload that was to be hashed. */
  sha256?: string
  /** Its format, where the content does not need to be looked at. */
  format?: FormatKey
}

export interface Upload {
  fields: Map<string, string>
  /** The first file. */
  file: UploadedFile | undefined
  /** All files, in the order of the body: more than one only if they are to be joined. */
  files: UploadedFile[]
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

/** How a form is read. */
export interface FormReading {
  /** Whether the bytes of the files are hashed on their way. */
  isHashed?: boolean | undefined
  /** Whether all files are taken, whatever their fields, and the values of a field that is sent again join it after commas. */
  isOpen?: boolean | undefined
}

/**
 * Streams a multipart body to `folder`, in constant memory.
 * @param maxBytes largest file accepted, and largest sum of several
 * @throws RequestError if the body is invalid, has several files without the `sourceFormat` of a bundle before them, or a file is empty or
 * too large; nothing is then left on disk
 */
export async function receiveUpload(
  request: IncomingMessage,
  folder: string,
  maxBytes: number,
  reading: FormReading = {},
): Promise<Upload> {
  const path = join(folder, guid())
  const received: Received[] = []
  const discard = async () => {
    for (const { path } of received) await removeTree(path)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const { fields, count } = await readParts(request, received, { path, maxBytes, ...reading })
    if (count > received.length) throw new RequestError('request.multiple_files')
    const files: UploadedFile[] = []
    for (const { path, name, isUnnamed, hash } of received) {
      const { size } = await stat(path)
      // A form in which no file was chosen sends a part without a name and without content.
      if (size > 0) files.push({ path, name, bytes: size, ...(hash && { sha256: hash.digest('hex') }) })
      else if (!isUnnamed)
        throw new RequestError('request.empty_file', message('request.empty_file', { name }))
    }
    return { fields, file: files[0], files, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/**
 * Streams a body that is one file to `folder`.
 * @throws RequestError if it is empty, too large or broken off; nothing is then left on disk
 */
export async function receiveBody(
  body: Readable,
  folder: string,
  maxBytes: number,
  name: string,
): Promise<UploadedFile & AsyncDisposable> {
  const path = join(folder, guid())
  const discard = () => removeTree(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(tooLarge(maxBytes))
      else done(null, chunk)
    },
  })
  try {
    await pipeline(body, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    if (bytes === 0) throw new RequestError('request.empty_file', message('request.empty_file', { name }))
    return { path, name: cleanName(name), bytes, [Symbol.asyncDispose]: discard }
  } catch (error) {
    await discard()
    if (error instanceof RequestError || isSystemError(error)) throw error
    throw malformed(message('request.broken_off'))
  }
}

/** A file of a body on its way to the disk. */
interface Received {
  path: string
  name: string
  /** Whether the sender gave no name. */
  isUnnamed: boolean
  /** Of the bytes so far. */
  hash?: Hash | undefined
}

/** Writes the files of a body that belong together to `path`, `path-1` …, and returns how many there are in all. */
function readParts(
  request: IncomingMessage,
  received: Received[],
  { path, maxBytes, isHashed, isOpen }: { path: string; maxBytes: number } & FormReading,
) {
  const fields = new Map<string, string>()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = createParser(request, maxBytes)
  let count = 0
  let file: Readable | undefined
  const targets: WriteStream[] = []
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
    else if (isOpen) fields.set(name, [fields.get(name), value].filter(Boolean).join())
    else if (fields.has(name))
      fail(new RequestError('request.invalid_parameter', message('request.repeated', { name })))
    else fields.set(name, value)
  })
  parser.on('fieldsLimit', () => fail(malformed(message('request.too_many_fields'))))
  // A part of unknown type is a file, with or without a name.
  parser.on('file', (field, stream, fileName: string | undefined = '') => {
    // Emitted when the body ends inside the part; without a listener it would crash the process.
    stream.on('error', onBrokenOff)
    if (field !== 'file' && !isOpen) return void stream.resume()
    const isJoined = (isOpen || isBundle(fields.get('sourceFormat'))) && count < globalLimits.batchFiles
    if (count++ > 0 && !isJoined) return void stream.resume()
    // Forms encode a quotation mark in a name as %22; see the HTML standard, section 4.10.22.8.
    const name = cleanName(fileName.replaceAll('%22', '"'))
    const hash = isHashed ? createHash('sha256') : undefined
    const own = { path: count === 1 ? path : `${path}-${count - 1}`, name, isUnnamed: fileName === '', hash }
    received.push(own)
    if (hash) stream.on('data', chunk => hash.update(chunk))
    file = stream
    stream.on('limit', () => fail(tooLarge(maxBytes)))
    const target = createWriteStream(own.path, { highWaterMark: CHUNK_BYTES, flags: 'wx', mode: 0o600 })
    targets.push(target)
    const writing = pipeline(stream, target).catch(error => {
      // The part's own errors are the sender's fault and reported by the parser.
      if (!isSystemError(error)) return
      request.unpipe(parser)
      reject(error)
    })
    written = Promise.all([written, writing]).then(() => {})
  })
  parser.on('error', onBrokenOff)
  parser.on('finish', () => void written.then(releaseAll).then(resolve))
  request.on('error', onBrokenOff)
  request.on('close', () => request.readableEnded || onBrokenOff())
  const bytesWritten = () => targets.reduce((sum, target) => sum + target.bytesWritten, 0)
  const releaseAll = releaseWritten(request, bytesWritten)
  request.on('data', () => {
    if (targets.length > 1 && bytesWritten() > maxBytes) fail(tooLarge(maxBytes))
  })
  request.pipe(parser)
  return promise.then(() => ({ fields, count }))
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
  if (!/^multipart\/form-data/i.test(request.headers['content-type'] ?? ''))
    throw new RequestError('request.invalid_content_type')
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
