/** Web pages and plain text, in the one encoding that LibreOffice cannot mistake. */
import type { OfficeDocument } from './model.ts'
import { addXmlScripts, noNeeds } from './needs.ts'

export type PlainFormat = 'html' | 'txt'

export function readPlainDocument(marked: string, suffix: PlainFormat): OfficeDocument {
  const text = marked.replace(/^\uFEFF/, '')
  const needs = noNeeds()
  addXmlScripts(needs, Buffer.from(text))
  // References mean the same whatever encoding a page declares.
  const references = () => text.replace(/[^\0-\x7f]/gu, letter => `&#${letter.codePointAt(0)};`)
  const bytes = Buffer.from(suffix === 'html' ? references() : `\uFEFF${text}`)
  return { kind: 'text', suffix, bytes, needs, hasContent: false, unsupportedChunks: 0, damagedPictures: 0 }
}
