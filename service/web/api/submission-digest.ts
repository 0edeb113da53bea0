import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { UploadedFile } from '../../work/intake/upload.ts'
import type { ConvertFields } from './request-fields.ts'

/** All that a submission says. */
export interface Submitted {
  fields: ConvertFields
  /** Missing for an address, whose content is not part of what was sent. */
  file?: UploadedFile
}

/** How much of a file is read at once. */
const CHUNK_BYTES = 2 ** 18

/** SHA-256 of a submission in hex: of its fields, and of the name and bytes of its file. */
export async function digestOf({ fields, file }: Submitted): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([fields, file?.name ?? null]))
  if (file) await pipeline(createReadStream(file.path, { highWaterMark: CHUNK_BYTES }), hash)
  return hash.digest('hex')
}
