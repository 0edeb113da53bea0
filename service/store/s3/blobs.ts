import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { BlobStore, ByteRange, DownloadAs, LocalFile } from '../interfaces/blobs.ts'
import { StoreUnavailable } from '../interfaces/errors.ts'
import { guid } from '../interfaces/ids.ts'
import { assertUnchanged, sourceAt } from '../interfaces/source.ts'
import { createClient, type S3Place, type Timeouts } from './client.ts'
import { copyObject } from './copying.ts'
import { asBucketError, readObject } from './reading.ts'

/** Size of a part. 10,000 of them, the maximum, are 80 GB; the parts of a larger file are larger. */
const PART_BYTES = 2 ** 23
const MAX_PARTS = 10_000
/** How many parts of a file are uploaded at once; each of them is in memory. */
const PARTS_AT_ONCE = 2
/** How many objects are deleted at once. */
const DELETED_AT_ONCE = 16

/**
 * Blobs as objects of a bucket. Uploads have checksums, which the storage verifies, and appear completely or not at
 * all; downloads are checked against their length, and against the checksum if the storage provides it.
 */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client
  readonly #place: S3Place
  readonly #folder: string

  /** @param folder on this machine, for blobs that are checked out */
  constructor(place: S3Place, folder: string, timeouts?: Timeouts) {
    this.#client = createClient(place, timeouts)
    this.#place = place
    this.#folder = folder
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${key}` }
  }

  async put(key: string, path: string, signal?: AbortSignal): Promise<void> {
    await this.#upload(key, path, signal)
    await rm(path)
  }

  async clone(key: string, path: string): Promise<boolean> {
    const source = await sourceAt(path)
    await this.#upload(key, path)
    await assertUnchanged(source).catch(async error => {
      await this.remove(key)
      throw error
    })
    return true
  }

  async copy(from: string, to: string): Promise<void> {
    await this.#asking(from, () => copyObject(this.#client, this.#object(from), this.#object(to)))
  }

  async checkout(key: string, signal?: AbortSignal): Promise<LocalFile> {
    const path = join(this.#folder, guid())
    const drop = () => rm(path, { force: true })
    const { stream } = await readObject(this.#client, this.#object(key), { signal })
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    } catch (error) {
      await drop()
      throw error
    }
    return { path, [Symbol.asyncDispose]: drop }
  }

  open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }> {
    return readObject(this.#client, this.#object(key), { range })
  }

  async link(key: string, { disposition, contentType }: DownloadAs): Promise<string | undefined> {
    const { linkSeconds } = this.#place
    if (linkSeconds === 0) return undefined
    const command = new GetObjectCommand({
      ...this.#object(key),
      ResponseContentDisposition: disposition,
      ResponseContentType: contentType,
      ResponseCacheControl: 'no-store',
    })
    return this.#asking(key, () => getSignedUrl(this.#client, command, { expiresIn: linkSeconds }))
  }

  async remove(prefix: string): Promise<void> {
    const { Bucket, Key } = this.#object(prefix)
    await this.#asking(prefix, async () => {
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client: this.#client },
        { Bucket, Prefix: Key },
      )) {
        const keys = Contents.flatMap(({ Key: found }) =>
          found === Key || found?.startsWith(`${Key}/`) ? [found] : [],
        )
        for (let first = 0; first < keys.length; first += DELETED_AT_ONCE) {
          const some = keys.slice(first, first + DELETED_AT_ONCE)
          await Promise.all(
            some.map(found => this.#client.send(new DeleteObjectCommand({ Bucket, Key: found }))),
          )
        }
      }
    })
  }

  async list(prefix: string): Promise<string[]> {
    const { Bucket, Key } = this.#object(`${prefix}/`)
    const under = { Bucket, Prefix: Key, Delimiter: '/' }
    return this.#asking(prefix, async () => {
      const names: string[] = []
      for await (const page of paginateListObjectsV2({ client: this.#client }, under)) {
        for (const { Prefix = '' } of page.CommonPrefixes ?? []) names.push(Prefix.slice(Key.length, -1))
        for (const { Key: found = '' } of page.Contents ?? []) names.push(found.slice(Key.length))
      }
      return names
    })
  }

  async dropUnfinished(begunBefore: number): Promise<void> {
    const { Bucket, Key } = this.#object('')
    await this.#asking('', async () => {
      let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
      while (next) {
        const page: ListMultipartUploadsCommandOutput = await this.#client.send(
          new ListMultipartUploadsCommand({ Bucket, Prefix: Key, ...next }),
        )
        for (const { Key: found, UploadId, Initiated } of page.Uploads ?? []) {
          if (!found || !UploadId || !Initiated || Initiated.getTime() >= begunBefore) continue
          await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key: found, UploadId }))
        }
        next = page.IsTruncated
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : undefined
      }
    })
  }

  async check(): Promise<void> {
    const { Bucket } = this.#object('')
    await this.#client.send(new HeadBucketCommand({ Bucket })).catch(error => {
      throw new StoreUnavailable(`The bucket ${Bucket} does not answer, or may not be used.`, {
        cause: error,
      })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy()
  }

  async #upload(key: string, path: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const { bytes } = await sourceAt(path)
    const body = createReadStream(path)
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#object(key), Body: body },
      partSize: Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS)),
      queueSize: PARTS_AT_ONCE,
    })
    const stop = () => void upload.abort()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await this.#asking(key, () => upload.done())
    } finally {
      signal?.removeEventListener('abort', stop)
      body.destroy()
    }
  }

  async #asking<T>(key: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw asBucketError(error, key)
    }
  }
}
