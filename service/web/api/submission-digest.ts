import { createHash } from 'node:crypto'
import type { UploadedFile } from '../../work/intake/upload.ts'
import type { ConvertFields } from './request-fields.ts'

/** All that a submission says. */
export interface Submitted {
  fields: ConvertFields
  /** Hashed when they came; none for an address, whose content is not part of what was sent. */
  files: readonly Pick<UploadedFile, 'name' | 'sha256'>[]
}

/** SHA-256 of a submission in hex: of its fields, and of the names and bytes of its files in their order. */
export function digestOf({ fields, files }: Submitted): string {
  const content = [fields, files.map(({ name, sha256 }) => [name, sha256])]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
