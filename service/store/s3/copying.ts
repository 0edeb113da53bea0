import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { ObjectId } from './reading.ts'

/** Largest object that S3 copies in one request. */
const MAX_COPY_BYTES = 5 * 2 ** 30
/** Size of a part of a larger one. */
const PART_BYTES = 2 ** 30

/** Copies an object within the storage, without transferring its bytes. */
export async function copyObject(
  client: S3Client,
  from: ObjectId,
  to: ObjectId,
  { maxBytes = MAX_COPY_BYTES, partBytes = PART_BYTES } = {},
): Promise<void> {
  const { ContentLength = 0, ETag } = await client.send(new HeadObjectCommand(from))
  const CopySource = [from.Bucket, ...from.Key.split('/')].map(encodeURIComponent).join('/')
  if (ContentLength <= maxBytes) {
    await client.send(new CopyObjectCommand({ ...to, CopySource }))
    return
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(to))
  try {
    const Parts: CompletedPart[] = []
    for (let first = 0; first < ContentLength; first += partBytes) {
      const last = Math.min(first + partBytes, ContentLength) - 1
      const PartNumber = Parts.length + 1
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({
          ...to,
          UploadId,
          PartNumber,
          CopySource,
          CopySourceRange: `bytes=${first}-${last}`,
          CopySourceIfMatch: ETag,
        }),
      )
      Parts.push({ ...CopyPartResult, PartNumber })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...to, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...to, UploadId })).catch(() => {})
    throw error
  }
}
