import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { BlobStore } from '../interfaces/blobs.ts'
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
 * @param folder on this machine, for blobs that are checked out
 */
export function s3Blobs(place: S3Place, folder: string, timeouts?: Timeouts): BlobStore {
  const client = createClient(place, timeouts)
  const objectOf = (key: string) => ({ Bucket: place.bucket, Key: `${place.prefix}${key}` })

  const asking = async <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      throw asBucketError(error, key)
    }
  }

  const send = async (key: string, path: string, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    const { bytes } = await sourceAt(path)
    const body = createReadStream(path)
    const upload = new Upload({
      client,
      params: { ...objectOf(key), Body: body },
      partSize: Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS)),
      queueSize: PARTS_AT_ONCE,
    })
    const stop = () => void upload.abort()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await asking(key, () => upload.done())
    } finally {
      signal?.removeEventListener('abort', stop)
      body.destroy()
    }
  }

  return {
    async put(key, path, signal) {
      await send(key, path, signal)
      await rm(path)
    },

    async clone(key, path) {
      const source = await sourceAt(path)
      await send(key, path)
      await assertUnchanged(source).catch(async error => {
        await this.remove(key)
        throw error
      })
      return true
    },

    copy: (from, to) => asking(from, () => copyObject(client, objectOf(from), objectOf(to))),

    async checkout(key, signal) {
      const path = join(folder, guid())
      const drop = () => rm(path, { force: true })
      const { stream } = await readObject(client, objectOf(key), { signal })
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
      } catch (error) {
        await drop()
        throw error
      }
      return { path, [Symbol.asyncDispose]: drop }
    },

    open: (key, range) => readObject(client, objectOf(key), { range }),

    async link(key, { disposition, contentType }) {
      const { linkSeconds } = place
      if (linkSeconds === 0) return undefined
      const command = new GetObjectCommand({
        ...objectOf(key),
        ResponseContentDisposition: disposition,
        ResponseContentType: contentType,
        ResponseCacheControl: 'no-store',
      })
      return asking(key, () => getSignedUrl(client, command, { expiresIn: linkSeconds }))
    },

    async remove(prefix) {
      const { Bucket, Key } = objectOf(prefix)
      await asking(prefix, async () => {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: Key })) {
          const keys = Contents.flatMap(({ Key: found }) =>
            found === Key || found?.startsWith(`${Key}/`) ? [found] : [],
          )
          for (let first = 0; first < keys.length; first += DELETED_AT_ONCE) {
            const some = keys.slice(first, first + DELETED_AT_ONCE)
            await Promise.all(some.map(found => client.send(new DeleteObjectCommand({ Bucket, Key: found }))))
          }
        }
      })
    },

    async list(prefix) {
      const { Bucket, Key } = objectOf(`${prefix}/`)
      const under = { Bucket, Prefix: Key, Delimiter: '/' }
      return asking(prefix, async () => {
        const names: string[] = []
        for await (const page of paginateListObjectsV2({ client }, under)) {
          for (const { Prefix = '' } of page.CommonPrefixes ?? []) names.push(Prefix.slice(Key.length, -1))
          for (const { Key: found = '' } of page.Contents ?? []) names.push(found.slice(Key.length))
        }
        return names
      })
    },

    async dropUnfinished(before) {
      const { Bucket, Key } = objectOf('')
      await asking('', async () => {
        let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
        while (next) {
          const page: ListMultipartUploadsCommandOutput = await client.send(
            new ListMultipartUploadsCommand({ Bucket, Prefix: Key, ...next }),
          )
          for (const { Key: found, UploadId, Initiated } of page.Uploads ?? []) {
            if (!found || !UploadId || !Initiated || Initiated.getTime() >= before) continue
            await client.send(new AbortMultipartUploadCommand({ Bucket, Key: found, UploadId }))
          }
          next = page.IsTruncated
            ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
            : undefined
        }
      })
    },

    async check() {
      const { Bucket } = objectOf('')
      await client.send(new HeadBucketCommand({ Bucket })).catch(error => {
        throw new StoreUnavailable(`The bucket ${Bucket} does not answer, or may not be used.`, {
          cause: error,
        })
      })
    },

    [Symbol.asyncDispose]: async () => client.destroy(),
  }
}
