import { Readable } from 'node:stream'
import { GetObjectCommand, NoSuchKey, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { ByteRange } from '../interfaces/blobs.ts'
import { BlobGone, StoreFull, StoreRefused, StoreUnavailable } from '../interfaces/errors.ts'

/** How often a download is resumed in a row without enough bytes in between to count as progress. */
const RESUMPTIONS = 3
const PROGRESS_BYTES = 2 ** 20

/** An object of a bucket. */
export interface ObjectId {
  Bucket: string
  Key: string
}

/** Names of refusals because of a quota or a full disk, of S3 itself, Ceph and MinIO. */
const NO_ROOM = /Quota|StorageFull|InsufficientCapacity/
/** Refusals with status 403 that pass by themselves: a clock is set, credentials are renewed. */
const PASSING = new Set(['RequestTimeTooSkewed', 'ExpiredToken', 'RequestExpired', 'TokenRefreshRequired'])

/** What an error of the client means. */
export function asBucketError(error: unknown, key: string): unknown {
  if (error instanceof NoSuchKey) return new BlobGone(key, { cause: error })
  // Answers to HEAD have no body that could name the error.
  if (error instanceof S3ServiceException && error.name === 'NotFound')
    return new BlobGone(key, { cause: error })
  // Errors of this machine's disk have a path, those of the network an address.
  if (error instanceof Error && 'path' in error && 'syscall' in error) return error
  const name = error instanceof Error ? error.name : String(error)
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  if (NO_ROOM.test(name) || status === 507) return new StoreFull(name, { cause: error })
  if ((status === 401 || status === 403) && !PASSING.has(name))
    return new StoreRefused(name, { cause: error })
  return new StoreUnavailable(`The storage did not do what it was asked (${name}).`, { cause: error })
}

export interface Reading {
  signal?: AbortSignal | undefined
  /** The range to read; everything by default. */
  range?: ByteRange | undefined
}

/**
 * Reads an object or a range of it. An interrupted download is resumed where it ended, as long as the object is the same.
 * @throws BlobGone, StoreUnavailable
 */
export async function readObject(
  client: S3Client,
  object: ObjectId,
  { signal, range }: Reading = {},
): Promise<{ stream: Readable; bytes: number }> {
  const opened = await getFrom(client, object, { signal, range })
  const { bytes } = opened
  const stream = Readable.from(resuming(client, object, opened, { signal, range }), { objectMode: false })
  // If it is closed before anybody has read from it, it has not started reading itself.
  stream.once('close', () => opened.body.destroy())
  return { stream, bytes }
}

interface Opened {
  body: Readable
  /** The number of requested bytes. */
  bytes: number
  etag: string | undefined
}

async function getFrom(
  client: S3Client,
  object: ObjectId,
  {
    signal,
    range,
    etag,
  }: { range?: Partial<ByteRange> | undefined; etag?: string | undefined } & Omit<Reading, 'range'>,
): Promise<Opened> {
  const command = new GetObjectCommand({
    ...object,
    ...(range ? { Range: `bytes=${range.start ?? 0}-${range.end ?? ''}` } : {}),
    ...(etag === undefined ? {} : { IfMatch: etag }),
  })
  try {
    const answer = await client.send(command, signal ? { abortSignal: signal } : {})
    if (!(answer.Body instanceof Readable) || answer.ContentLength === undefined)
      throw new Error('The answer has no length or no body.')
    // It may be interrupted before anybody reads it; the reader gets the error.
    answer.Body.on('error', () => {})
    return { body: answer.Body, bytes: answer.ContentLength, etag: answer.ETag }
  } catch (error) {
    throw asBucketError(error, object.Key)
  }
}

async function* resuming(
  client: S3Client,
  object: ObjectId,
  first: Opened,
  { signal, range }: Reading,
): AsyncGenerator<Buffer> {
  let { body } = first
  let come = 0
  for (let left = RESUMPTIONS; ; left--) {
    const started = come
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        come += chunk.length
        yield chunk
      }
      if (come === first.bytes) return
      throw new Error(`${come} bytes came of ${first.bytes}.`)
    } catch (error) {
      body.destroy()
      if (come - started >= PROGRESS_BYTES) left = RESUMPTIONS
      // An error after the last byte, such as a wrong checksum, cannot be fixed by resuming.
      if (left === 0 || come >= first.bytes || signal?.aborted) throw asBucketError(error, object.Key)
    }
    const rest = await getFrom(client, object, {
      signal,
      range: { ...range, start: (range?.start ?? 0) + come },
      etag: first.etag,
    })
    body = rest.body
  }
}
