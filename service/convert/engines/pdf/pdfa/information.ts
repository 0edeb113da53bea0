/** A document's description of itself: the same in its information dictionary and in XMP (ISO 19005-2, 6.6.2). */
import { PDFDict, type PDFDocument } from '@cantoo/pdf-lib'
import { follow } from './objects.ts'

const PRODUCER = 'Refile'

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
  const words = (get: () => string | undefined) => read(get)?.replace(NOT_IN_XML, ' ').trim() || undefined
  const date = (get: () => Date | undefined) => {
    const found = read(get)
    const year = found?.getUTCFullYear() ?? Number.NaN
    return year >= 1000 && year <= 9999 ? found : undefined
  }
  const hasInformation = follow(document.context, document.context.trailerInfo.Info) instanceof PDFDict
  const title = hasInformation ? words(() => document.getTitle()) : undefined
  const author = hasInformation ? words(() => document.getAuthor()) : undefined
  const subject = hasInformation ? words(() => document.getSubject()) : undefined
  const keywords = hasInformation ? words(() => document.getKeywords()) : undefined
  const creator = hasInformation ? words(() => document.getCreator()) : undefined
  const created = hasInformation ? date(() => document.getCreationDate()) : undefined
  const modified = hasInformation ? date(() => document.getModificationDate()) : undefined
  document.context.trailerInfo.Info = document.context.register(document.context.obj({}))
  if (title) document.setTitle(title)
  if (author) document.setAuthor(author)
  if (subject) document.setSubject(subject)
  if (keywords) document.setKeywords([keywords])
  if (creator) document.setCreator(creator)
  if (created) document.setCreationDate(created)
  if (modified) document.setModificationDate(modified)
  document.setProducer(PRODUCER)
}
