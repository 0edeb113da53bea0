import { Readable } from 'node:stream'
import { GetObjectCommand, NoSuchKey, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { BlobGone, StoreUnavailable } from '../../stores/errors.ts'

/** Times a content is asked for again from where it broke off, without as many bytes in between as count as progress. */
const RESUMPTIONS = 3
const PROGRESS_BYTES = 2 ** 20

/** An object of a bucket. */
export interface ObjectId {
  Bucket: string
  Key: string
}

/** What an error of the client means. */
export function asStoreError(error: unknown, key: string): unknown {
  if (error instanceof NoSuchKey) return new BlobGone(key, { cause: error })
  // Answers to HEAD have no body that could name the error.
  if (error instanceof S3ServiceException && error.name === 'NotFound')
    return new BlobGone(key, { cause: error })
  const name = error instanceof Error ? error.name : String(error)
  return new StoreUnavailable(`The storage did not do what it was asked (${name}).`, { cause: error })
}

/**
 * Reads an object. A connection that breaks off is resumed where it ended, as long as the object is the same.
 * @throws BlobGone, StoreUnavailable
 */
export async function readObject(
  client: S3Client,
  object: ObjectId,
  signal?: AbortSignal,
): Promise<{ stream: Readable; bytes: number }> {
  const first = await getFrom(client, object, { signal })
  return {
    stream: Readable.from(resuming(client, object, first, signal), { objectMode: false }),
    bytes: first.bytes,
  }
}

interface Opened {
  body: Readable
  /** From where it was asked for to the end. */
  bytes: number
  etag: string | undefined
}

async function getFrom(
  client: S3Client,
  object: ObjectId,
  { signal, from = 0, etag }: { signal?: AbortSignal | undefined; from?: number; etag?: string | undefined },
): Promise<Opened> {
  const command = new GetObjectCommand({
    ...object,
    ...(from === 0 ? {} : { Range: `bytes=${from}-` }),
    ...(etag === undefined ? {} : { IfMatch: etag }),
  })
  try {
    const answer = await client.send(command, signal ? { abortSignal: signal } : {})
    if (!(answer.Body instanceof Readable) || answer.ContentLength === undefined)
      throw new Error('The answer has no length or no body.')
    return { body: answer.Body, bytes: answer.ContentLength, etag: answer.ETag }
  } catch (error) {
    throw asStoreError(error, object.Key)
  }
}

async function* resuming(
  client: S3Client,
  object: ObjectId,
  first: Opened,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let { body } = first
  let from = 0
  for (let left = RESUMPTIONS; ; left--) {
    const begun = from
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        from += chunk.length
        yield chunk
      }
      if (from === first.bytes) return
      throw new Error(`${from} bytes came of ${first.bytes}.`)
    } catch (error) {
      body.destroy()
      if (from - begun >= PROGRESS_BYTES) left = RESUMPTIONS
      // What is wrong once all is there, such as the checksum, another end does not mend.
      if (left === 0 || from >= first.bytes || signal?.aborted) throw asStoreError(error, object.Key)
    }
    const rest = await getFrom(client, object, { signal, from, etag: first.etag })
    body = rest.body
  }
}
