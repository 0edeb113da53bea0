import { createHash } from 'node:crypto'
import type { Book } from '../../book/model.ts'
import { uuidOf } from '../../book/uuid.ts'

/** Identifiers of a book; the same book always gets the same ones. */
export interface Identity {
  /** A UUID; the book's own if it has one. */
  uuid: string
  /** 32 bits. */
  number: number
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

/** @param text hash of the text of the file */
export function identityOf({ metadata }: Book, text: Uint8Array): Identity {
  const hash = createHash('sha256').update(text).update(JSON.stringify(metadata)).digest()
  const own = uuid.exec(metadata.uniqueIdentifier)?.[0].toLowerCase()
  const hex = hash.toString('hex')
  return { uuid: own ?? uuidOf(hex).replace('urn:uuid:', ''), number: hash.readUInt32BE(28) }
}
