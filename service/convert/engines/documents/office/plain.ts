/** Web pages and plain text, in the one encoding that LibreOffice cannot mistake. */
import { readFile } from 'node:fs/promises'
import { decodeText } from '../../common/text.ts'
import type { OfficeDocument } from './model.ts'
import { addXmlScripts, noNeeds } from './needs.ts'

export type PlainFormat = 'html' | 'txt'

/** Reads a file in any encoding. */
export async function readPlainDocument(path: string, suffix: PlainFormat): Promise<OfficeDocument> {
  const text = decodeText(await readFile(path)).replace(/^\uFEFF/, '')
  const needs = noNeeds()
  addXmlScripts(needs, Buffer.from(text))
  // References mean the same whatever encoding a page declares.
  const references = () => text.replace(/[^\0-\x7f]/gu, letter => `&#${letter.codePointAt(0)};`)
  const bytes = Buffer.from(suffix === 'html' ? references() : `\uFEFF${text}`)
  return { kind: 'text', suffix, bytes, needs, hasContent: false, lostChunks: 0, damagedPictures: 0 }
}
