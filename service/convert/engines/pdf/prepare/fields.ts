/** Form fields, by widget; ISO 32000-1, 12.7.3. */
import { type PDFDict, type PDFDocument, PDFName, PDFNumber, type PDFObject } from '@cantoo/pdf-lib'
import { annotationsOf, follow, inherited, nameEntry } from '../pdfa/objects.ts'

export interface Field {
  widget: PDFDict
  /** `Tx`, `Ch`, `Btn` or `Sig`. */
  type: string
  flags: number
  /** An entry of the field, inherited if the field itself does not have it. */
  value(key: string): PDFObject | undefined
}

/** Flags of fields (tables 226, 228 and 230). */
export const FLAGS = {
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  push: 1 << 16,
  combo: 1 << 17,
  editable: 1 << 18,
  comb: 1 << 24,
}

const WIDGET_LIMIT = 20_000

/** Fields that are on a page. */
export function* fieldsOf(document: PDFDocument): Generator<Field> {
  let left = WIDGET_LIMIT
  for (const page of document.getPages())
    for (const widget of annotationsOf(page.node)) {
      if (nameEntry(widget, 'Subtype') !== 'Widget') continue
      if (--left < 0) return
      const value = (key: string) => follow(document.context, inherited(widget, key))
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
