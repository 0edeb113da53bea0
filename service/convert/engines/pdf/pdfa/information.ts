/** A document's description of itself: the same in its information dictionary and in XMP (ISO 19005-2, 6.6.2). */
import { PDFDict, type PDFDocument } from '@cantoo/pdf-lib'
import { follow } from './objects.ts'

const PRODUCER = 'Refile'
const TEXTS = ['Title', 'Author', 'Subject', 'Creator'] as const
const DATES = ['CreationDate', 'ModificationDate'] as const

/** Characters that XML cannot contain, or that only some readers accept: control characters and lone surrogates. */
const NOT_IN_XML = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu

/** Keeps the readable entries that XMP repeats, and drops all others. */
export function tidyInformation(document: PDFDocument): void {
  const read = <T>(get: () => T): T | undefined => {
    try {
      return get()
    } catch {
      return undefined
    }
  }
  const words = (text: string | undefined) => text?.replace(NOT_IN_XML, ' ').trim() || undefined
  const date = (found: Date | undefined) => {
    const year = found?.getUTCFullYear() ?? Number.NaN
    return year >= 1000 && year <= 9999 ? found : undefined
  }
  const { context } = document
  const isReadable = follow(context, context.trailerInfo.Info) instanceof PDFDict
  const texts = TEXTS.map(key => (isReadable ? words(read(() => document[`get${key}`]())) : undefined))
  const dates = DATES.map(key => (isReadable ? date(read(() => document[`get${key}`]())) : undefined))
  const keywords = isReadable ? words(read(() => document.getKeywords())) : undefined
  context.trailerInfo.Info = context.register(context.obj({}))
  for (const [index, key] of TEXTS.entries()) if (texts[index]) document[`set${key}`](texts[index])
  for (const [index, key] of DATES.entries()) if (dates[index]) document[`set${key}`](dates[index])
  if (keywords) document.setKeywords([keywords])
  document.setProducer(PRODUCER)
}
