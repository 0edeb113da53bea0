import { unzipSync } from 'fflate'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

const MB = 1_000_000
/** Limits that real documents never meet; sizes are unpacked. */
const MAX_XML_BYTES = 200 * MB
const MAX_TOTAL_BYTES = 600 * MB
const MAX_ENTRIES = 20_000

/** The files of a document that is a ZIP, by their names. @throws JobFailure corrupt_input, too_large */
export function unzipped(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0
  let entries = 0
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize, size }) => {
        // Stored entries cannot expand; compressed entries either have the declared size or are damaged.
        total += Math.max(originalSize, size)
        entries++
        const isXml = /\.(?:xml|rels)$/i.test(name)
        if (total > MAX_TOTAL_BYTES || entries > MAX_ENTRIES || (isXml && originalSize > MAX_XML_BYTES)) {
          throw new JobFailure(
            'jobs.too_large',
            message('word.too_large', { megabytes: MAX_TOTAL_BYTES / MB }),
          )
        }
        return !name.endsWith('/')
      },
    })
  } catch (error) {
    throw error instanceof JobFailure
      ? error
      : new JobFailure('jobs.corrupt_input', undefined, { cause: error })
  }
}
