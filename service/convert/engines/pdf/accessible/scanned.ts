/** Gives scanned pages, whose text was recognised, the structure that screen readers follow. */
import type { PDFDocument, PDFPage } from '@cantoo/pdf-lib'
import { contentOf, name } from '../pdfa/objects.ts'
import { type Facts, mendTagged } from './index.ts'
import { withDecoration } from './untagged.ts'

/**
 * A document with tags or other text stays as it is.
 * @param marks number of paragraphs on each page, which are marked in its content from 0 on
 * @returns whether the document is accessible now
 */
export function tagScans(document: PDFDocument, marks: ReadonlyMap<PDFPage, number>, facts: Facts): boolean {
  const { catalog, context } = document
  const isScan = (page: PDFPage) => {
    const content = contentOf(page.node)
    const marked = content.toString('latin1').split('/MCID').length - 1
    return marked === (marks.get(page) ?? 0) && !withDecoration(content).hasText
  }
  const pages = document.getPages()
  if (catalog.has(name('StructTreeRoot')) || !pages.every(isScan)) return false
  const root = context.nextRef()
  const whole = context.nextRef()
  const elements = pages.map(page =>
    Array.from({ length: marks.get(page) ?? 0 }, (_, part) =>
      context.register(context.obj({ Type: 'StructElem', S: 'P', P: whole, Pg: page.ref, K: part })),
    ),
  )
  for (const [index, page] of pages.entries()) page.node.set(name('StructParents'), context.obj(index))
  const parents = context.register(context.obj({ Nums: elements.flatMap((parts, index) => [index, parts]) }))
  context.assign(whole, context.obj({ Type: 'StructElem', S: 'Document', P: root, K: elements.flat() }))
  context.assign(root, context.obj({ Type: 'StructTreeRoot', K: [whole], ParentTree: parents }))
  catalog.set(name('StructTreeRoot'), root)
  catalog.set(name('MarkInfo'), context.obj({ Marked: true }))
  return mendTagged(document, facts).length === 0
}
