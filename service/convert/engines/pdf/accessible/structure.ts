/** Mends the structure that LibreOffice gives a PDF as PDF/UA-1 (ISO 14289-1) wants it; its clauses in brackets. */
import { PDFArray, PDFDict, type PDFDocument, PDFHexString, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import {
  arrayEntry,
  dictEntry,
  dictOf,
  entry,
  items,
  listed,
  name,
  nameEntry,
  numberEntry,
  numbersOf,
  textOf,
} from '../pdfa/objects.ts'

/** What keeps a PDF from being accessible, on a page counted from 0. */
export interface Barrier {
  lacks: 'picture' | 'formula' | 'text'
  page: number
}

/** Deeper elements mean damage. */
const DEPTH_LIMIT = 200

/** Tags that get meanings of their own from no table of roles (7.1). */
const STANDARD = new Set(
  'BlockQuote Caption Code Div Figure Index Link Note P Quote Reference Span Table'.split(' '),
)

interface Element {
  dict: PDFDict
  ref: PDFRef
  tag: string
}

/** Mends headings, lists, tables and annotations. @returns what lacks a description */
export function mendStructure(document: PDFDocument): Barrier[] {
  const { context, catalog } = document
  const root = dictEntry(catalog, 'StructTreeRoot')
  const rootRef = catalog.get(name('StructTreeRoot'))
  if (!root || !(rootRef instanceof PDFRef)) return []
  const roles = dictEntry(root, 'RoleMap')
  const pages = new Map<PDFObject | undefined, number>(
    document.getPages().map(({ ref }, index) => [ref, index]),
  )
  const barriers: Barrier[] = []
  const tagged = new Set<PDFObject>()
  /** The levels that the headings down to the current one had: its new one is how many there are (7.4.2). */
  const levels: number[] = []

  const kidsOf = (dict: PDFDict): Element[] =>
    childrenOf(dict).flatMap(ref => {
      const kid = ref instanceof PDFRef && context.lookup(ref)
      if (!(kid instanceof PDFDict) || !kid.has(name('S'))) return []
      const own = nameEntry(kid, 'S') ?? ''
      const tag = nameEntry(roles, own) || own
      if (STANDARD.has(own)) kid.set(name('S'), name(tag))
      return { dict: kid, ref: ref as PDFRef, tag }
    })
  const pageOf = (dict: PDFDict): number =>
    pages.get(dict.get(name('Pg'))) ?? kidsOf(dict).reduce((page, kid) => Math.max(page, pageOf(kid.dict)), 0)
  const wrap = (parent: PDFRef, tag: string, kids: PDFObject[]): PDFRef => {
    const ref = context.register(context.obj({ Type: 'StructElem', S: tag, P: parent, K: kids }))
    for (const kid of kids) if (kid instanceof PDFRef) dictOf(context.lookup(kid))?.set(name('P'), ref)
    return ref
  }
  const visit = ({ dict, ref, tag }: Element, depth: number): void => {
    for (const kid of childrenOf(dict))
      if (kid instanceof PDFDict && kid.has(name('Obj'))) tagged.add(kid.get(name('Obj'))!)
    const [heading, level = ''] = /^H([1-6]?)$/.exec(tag) ?? []
    if (heading) {
      while (levels.length > 0 && levels.at(-1)! >= Number(level || 1)) levels.pop()
      dict.set(name('S'), name(`H${levels.push(Number(level || 1))}`))
    }
    const isDescribed = textOf(entry(dict, 'Alt')).trim() !== '' || dict.has(name('ActualText'))
    if ((tag === 'Figure' || tag === 'Formula') && !isDescribed)
      barriers.push({ lacks: tag === 'Figure' ? 'picture' : 'formula', page: pageOf(dict) })
    if (tag === 'Table') mendTable(dict, kidsOf)
    if (tag !== 'L') {
      const kids = new Map<PDFObject, string>(kidsOf(dict).map(kid => [kid.ref, kid.tag]))
      const runs = runsOf(childrenOf(dict), child => kids.get(child) === 'LI')
      // Items of a list outside of one get one (7.2).
      if (runs.some(({ is }) => is))
        dict.set(name('K'), context.obj(runs.flatMap(({ is, all }) => (is ? wrap(ref, 'L', all) : all))))
    }
    if (depth < DEPTH_LIMIT) for (const kid of kidsOf(dict)) visit(kid, depth + 1)
  }

  visit({ dict: root, ref: rootRef, tag: '' }, 0)
  for (const tag of STANDARD) roles?.delete(name(tag))
  tagAnnotations(document, root, rootRef, tagged)
  if (childrenOf(root).length > 1)
    root.set(name('K'), context.obj([wrap(rootRef, 'Document', childrenOf(root))]))
  return barriers
}

const childrenOf = (dict: PDFDict): PDFObject[] => listed(dict, 'K')

/** A list in parts, of items that are something and items that are not. */
function runsOf<Item>(list: readonly Item[], isOne: (item: Item) => boolean): { is: boolean; all: Item[] }[] {
  const runs: { is: boolean; all: Item[] }[] = []
  for (const item of list) {
    const is = isOne(item)
    const run = runs.at(-1)
    if (run?.is === is) run.all.push(item)
    else runs.push({ is, all: [item] })
  }
  return runs
}

/** Rows get as many cells as the longest (7.2), and a filled first row without heads becomes one of heads (7.5). */
function mendTable(table: PDFDict, kidsOf: (dict: PDFDict) => Element[]): void {
  const rows = kidsOf(table)
    .flatMap(kid => (/^T(?:Head|Body|Foot)$/i.test(kid.tag) ? kidsOf(kid.dict) : kid))
    .filter(({ tag }) => tag === 'TR')
    .map(row => ({ ...row, cells: kidsOf(row.dict) }))
  const { context } = table
  const span = (cell: PDFDict, key: string) => {
    const all = entry(cell, 'A')
    const attributes = all instanceof PDFArray ? [...items(context, all)] : [all]
    return Math.max(1, ...attributes.map(each => (each instanceof PDFDict && numberEntry(each, key)) || 1))
  }
  const widths = rows.map(() => 0)
  for (const [index, { cells }] of rows.entries())
    for (const { dict } of cells)
      for (let row = 0; row < span(dict, 'RowSpan') && index + row < rows.length; row++)
        widths[index + row]! += span(dict, 'ColSpan')
  const width = Math.max(...widths)
  for (const [index, row] of rows.entries())
    for (let lacking = width - widths[index]!; lacking > 0; lacking--)
      arrayEntry(row.dict, 'K')?.push(
        context.register(context.obj({ Type: 'StructElem', S: 'TD', P: row.ref, K: [] })),
      )
  const [first, ...others] = rows
  const hasHeads = rows.some(({ cells }) => cells.some(({ tag }) => tag === 'TH'))
  if (!first || others.length === 0 || hasHeads || first.cells.length < Math.max(2, width)) return
  if (!first.cells.every(({ dict }) => childrenOf(dict).length > 0)) return
  for (const { dict } of first.cells) {
    dict.set(name('S'), name('TH'))
    const own = dict.get(name('A'))
    const scope = context.obj({ O: 'Table', Scope: 'Column' })
    dict.set(name('A'), context.obj(own ? [own, scope] : [scope]))
  }
}

/** Annotations outside the structure get an element, and links a description: where they lead (7.18). */
function tagAnnotations(
  document: PDFDocument,
  root: PDFDict,
  rootRef: PDFRef,
  tagged: ReadonlySet<PDFObject>,
): void {
  const { context } = document
  const parents = dictEntry(root, 'ParentTree')
  const numbers = arrayEntry(parents, 'Nums')
  if (!numbers) return
  let next =
    numberEntry(root, 'ParentTreeNextKey') ??
    numbersOf(numbers)!
      .filter((_, at) => at % 2 === 0)
      .reduce((one, other) => Math.max(one, other + 1), 0)
  for (const page of document.getPages())
    for (const ref of arrayEntry(page.node, 'Annots')?.asArray() ?? []) {
      const annotation = dictOf(context.lookup(ref))
      if (!annotation) continue
      const type = nameEntry(annotation, 'Subtype') ?? ''
      if (!textOf(entry(annotation, 'Contents')))
        annotation.set(name('Contents'), PDFHexString.fromText(addressOf(annotation) || type))
      if (tagged.has(ref)) continue
      const tag = type === 'Link' ? 'Link' : type === 'Widget' ? 'Form' : 'Annot'
      const target = { Type: 'OBJR', Obj: ref, Pg: page.ref }
      const element = context.register(
        context.obj({ Type: 'StructElem', S: tag, P: rootRef, Pg: page.ref, K: [target] }),
      )
      root.set(name('K'), context.obj([...childrenOf(root), element]))
      numbers.push(context.obj(next))
      numbers.push(element)
      annotation.set(name('StructParent'), context.obj(next++))
      page.node.set(name('Tabs'), name('S'))
    }
  root.set(name('ParentTreeNextKey'), context.obj(next))
}

function addressOf(annotation: PDFDict): string {
  const address = textOf(entry(annotation, 'A', 'URI')) || textOf(entry(annotation, 'Parent', 'Contents'))
  return address.replace(/^mailto:/, '')
}
