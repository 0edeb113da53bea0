/** Web pages and plain text, in the one encoding that LibreOffice cannot mistake. */
import { noFacts, type OfficeDocument } from './model.ts'
import { addXmlScripts, noNeeds } from './needs.ts'

export type PlainFormat = 'html' | 'txt'

/** The language of a page, which LibreOffice does not read. */
const LANGUAGE = /<html\b[^>]{0,2000}?\slang=["']?([A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8})*)(?![\w-])/i

export function readPlainDocument(marked: string, suffix: PlainFormat): OfficeDocument {
  const text = marked.replace(/^\uFEFF/, '')
  const needs = noNeeds()
  addXmlScripts(needs, Buffer.from(text))
  // References mean the same whatever encoding a page declares.
  const references = () => text.replace(/[^\0-\x7f]/gu, letter => `&#${letter.codePointAt(0)};`)
  const bytes = Buffer.from(suffix === 'html' ? references() : `\uFEFF${text}`)
  const language = suffix === 'html' ? LANGUAGE.exec(text)?.[1] : undefined
  return { kind: 'text', suffix, bytes, needs, language, ...noFacts() }
}
