/** Labels of pages, such as roman numbers (ISO 32000-1, 12.4.2). */
import { type PDFContext, type PDFDict, type PDFDocument, PDFNumber, type PDFObject } from '@cantoo/pdf-lib'
import { dictEntry, dictOf, entry, follow, name, numberEntry } from '../pdfa/objects.ts'
import { pairsIn } from './trees.ts'

/** How a page is labelled: a text, and a number in a style. */
export interface Label {
  prefix: PDFObject | undefined
  style: PDFObject | undefined
  number: number
}

/** The label of each page; undefined if the document has none. */
export function labelsOf(document: PDFDocument): Label[] | undefined {
  const starts = new Map<number, PDFDict>()
  for (const [key, value] of pairsIn(dictEntry(document.catalog, 'PageLabels'), 'Nums')) {
    const dict = dictOf(follow(document.context, value))
    if (key instanceof PDFNumber && dict) starts.set(key.asNumber(), dict)
  }
  if (starts.size === 0) return undefined
  let label: Label = { prefix: undefined, style: name('D'), number: 0 }
  return Array.from({ length: document.getPageCount() }, (_, page) => {
    const start = starts.get(page)
    label = start
      ? { prefix: entry(start, 'P'), style: entry(start, 'S'), number: numberEntry(start, 'St') ?? 1 }
      : { ...label, number: label.number + 1 }
    return label
  })
}

/** The tree that labels pages like this. */
export function labelTree(context: PDFContext, labels: readonly Label[]): PDFDict {
  const pairs: (number | PDFDict)[] = []
  for (const [page, { prefix, style, number }] of labels.entries()) {
    const before = labels[page - 1]
    if (before && before.prefix === prefix && before.style === style && before.number + 1 === number) continue
    pairs.push(page, context.obj({ ...(prefix && { P: prefix }), ...(style && { S: style }), St: number }))
  }
  return context.obj({ Nums: pairs })
}
