/** Form fields, by widget; ISO 32000-1, 12.7.3. */
import { type PDFDict, type PDFDocument, PDFName, PDFNumber, type PDFObject } from '@cantoo/pdf-lib'
import { arrayEntry, dictOf, entry, items, lineage, nameEntry } from '../pdfa/objects.ts'

export interface Field {
  widget: PDFDict
  /** `Tx`, `Ch`, `Btn` or `Sig`. */
  type: string
  flags: number
  /** An entry of the field, inherited if the field itself does not have it. */
  value(key: string): PDFObject | undefined
}

const WIDGET_LIMIT = 20_000

/** Fields that are placed on a page. */
export function* fieldsOf(document: PDFDocument): Generator<Field> {
  let left = WIDGET_LIMIT
  for (const page of document.getPages())
    for (const object of items(document.context, arrayEntry(page.node, 'Annots'))) {
      const widget = dictOf(object)
      if (!widget || nameEntry(widget, 'Subtype') !== 'Widget') continue
      if (--left < 0) return
      const value = (key: string) => inherited(widget, key)
      const type = value('FT')
      const flags = value('Ff')
      if (!(type instanceof PDFName)) continue
      yield {
        widget,
        type: type.decodeText(),
        flags: flags instanceof PDFNumber ? flags.asNumber() : 0,
        value,
      }
    }
}

function inherited(widget: PDFDict, key: string): PDFObject | undefined {
  for (const dict of lineage(widget)) {
    const value = entry(dict, key)
    if (value !== undefined) return value
  }
  return undefined
}
