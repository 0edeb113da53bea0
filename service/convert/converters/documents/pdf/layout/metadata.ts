import { detectLanguage } from '../../../../engines/common/language/detect.ts'
import type { TextDocument } from './model.ts'
import { type Block, plainText } from './model.ts'

/** Placeholders that programs write as a title. */
const NO_TITLE = /^(untitled|unknown|document\d*|title|untitled document|unbenannt)$/i
/** Prefixes that Word and other programs put before the file name. */
const PRINTED_FROM = /^microsoft (?:word|powerpoint|excel) ?- ?/i
const FILE_NAME = /\.(?:docx?|dvi|pdf|pptx?|tex|rtf|odt|indd|qxd|xlsx?|txt)$/i

/** The title of a document, or else its first heading, or else the name of its file. */
export function titleOf({ title, blocks }: TextDocument, fileName: string): string {
  const given = title.replace(/\s+/g, ' ').trim()
  const own = given.replace(PRINTED_FROM, '').replace(FILE_NAME, '').trim()
  if (own === given && own !== '' && !NO_TITLE.test(own)) return own
  return firstHeading(blocks) || (NO_TITLE.test(own) ? '' : own) || fileName
}

function firstHeading(blocks: readonly Block[]): string {
  const heading = blocks.slice(0, 20).find(block => block.kind === 'heading')
  return heading?.kind === 'heading'
    ? plainText(heading.content).replace(/\s+/g, ' ').trim().slice(0, 200)
    : ''
}

const NAME = /^\p{L}[\p{L}\p{M}.'’-]*(?: \p{L}[\p{L}\p{M}.'’-]*){1,4}$/u

/** The names in one field: `A; B`, or `Jane Doe, John Roe and Max Poe`, but not `Doe, Jane`. */
export function authorsOf(author: string): string[] {
  const bySemicolon = author.split(';').map(name => name.replace(/\s+/g, ' ').trim())
  return bySemicolon.filter(Boolean).flatMap(part => {
    const names = part.split(/, and |, | and | & /).map(name => name.trim())
    return names.every(name => NAME.test(name)) ? names : [part]
  })
}

/** Separates keywords. */
export const subjectsOf = (keywords: string): string[] => [
  ...new Set(
    keywords
      .split(/[;,]/)
      .map(word => word.replace(/\s+/g, ' ').trim())
      .filter(Boolean),
  ),
]

/** The language that the file names, or else the one detected from its words; empty if neither is known. */
export const languageOf = (language: string, words: readonly string[]): string =>
  Intl.getCanonicalLocales(language || [])[0] ?? detectLanguage(words.join(' '))
