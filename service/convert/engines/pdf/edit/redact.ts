/** What a document says besides what its pages show, and what is removed of it when something is blacked out. */
import {
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFHexString,
  type PDFObject,
  type PDFPage,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'
import { operationsWithState, shownStrings } from '../pdfa/graphics-state.ts'
import {
  allDicts,
  contentOf,
  dataOf,
  dictEntry,
  dictOf,
  follow,
  keepAnnotations,
  name,
  nameEntry,
  remove,
  resourcesOf,
  textOf,
} from '../pdfa/objects.ts'
import { removeAttachments } from './attachments.ts'
import { resolvePlaces } from './destinations.ts'

/** Maximum nesting of objects. */
const DEPTH_LIMIT = 100
/** Entries of a page that draw nothing, and say something of what it showed. */
const KEPT_OF_PAGE = ['Type', 'Parent', 'MediaBox', 'Rotate', 'Resources', 'Contents', 'Annots']
/** Entries that lead from a page to others. */
const AWAY = new Set(['Parent', 'P', 'Dest', 'A', 'Annots'])

/** Removes all that a document contains besides its pages, bookmarks and layers: properties, attachments, scripts, tags and values of fields. */
export function removeHiddenData(document: PDFDocument): void {
  const { catalog, context } = document
  resolvePlaces(document)
  removeAttachments(document)
  delete context.trailerInfo.Info
  remove(catalog, 'StructTreeRoot', 'MarkInfo', 'AcroForm')
  remove(catalog, 'OpenAction', 'AA', 'Dests', 'Threads', 'SpiderInfo')
  const names = dictEntry(catalog, 'Names')
  remove(names, 'Dests', 'JavaScript', 'AlternatePresentations', 'Renditions')
  for (const { dict } of allDicts(document)) {
    remove(dict, 'Metadata', 'PieceInfo', 'Thumb', 'JS')
    if (dict.has(name('FT'))) remove(dict, 'V', 'DV', 'RV', 'Opt')
  }
}

/** Leaves of a page only what a picture of it consists of, and links that pass. */
export function reducePage({ node }: PDFPage, isKept: (link: PDFDict) => boolean): void {
  for (const key of node.keys()) if (!KEPT_OF_PAGE.includes(key.decodeText())) node.delete(key)
  keepAnnotations(node, isKept)
}

/**
 * The strings that the content of a page and its forms draw in simple fonts, as if all of these had the codes of Latin letters: PDFium
 * does not read what is never drawn. The codes of composite fonts are numbers of glyphs, which mean no letters.
 */
export function stringsDrawnBy({ node }: PDFPage): string {
  const resources = resourcesOf(node)
  const found: string[] = [stringsOf(contentOf(node), resources)]
  const seen = new Set<PDFObject>()
  const visit = (object: PDFObject | undefined, depth: number) => {
    const target = follow(node.context, object)
    if (!target || seen.has(target) || depth > DEPTH_LIMIT) return
    if (target instanceof PDFArray) for (const value of target.asArray()) visit(value, depth + 1)
    const dict = dictOf(target)
    if (!dict) return
    seen.add(target)
    const draws = nameEntry(dict, 'Subtype') === 'Form' || dict.has(name('PatternType'))
    if (target instanceof PDFStream && draws) {
      const own = dictEntry(dict, 'Resources') ?? dictOf(resources)
      found.push(stringsOf(dataOf(target) ?? Buffer.alloc(0), own))
    }
    for (const [key, value] of dict.entries()) if (!AWAY.has(key.decodeText())) visit(value, depth + 1)
  }
  visit(resources, 0)
  return found.join(' ')
}

function stringsOf(content: Buffer, resources: PDFDict | undefined): string {
  let text = ''
  try {
    for (const operation of operationsWithState(content, resources)) {
      const { font } = operation.state
      if (/^T[dDm*]$|^ET$/.test(operation.operator)) text += ' '
      if (!font || nameEntry(font, 'Subtype') !== 'Type0')
        for (const string of shownStrings(operation)) text += string.toString('latin1')
    }
  } catch {
    // What comes after damage is not drawn.
  }
  return text
}

/** Every text outside of pages' content: titles of bookmarks, addresses of links, names of layers and others. */
export function* textsOf({ context }: PDFDocument): Generator<{ text: string; set(text: string): void }> {
  for (const [ref, object] of context.enumerateIndirectObjects())
    yield* textsIn(object, value => context.assign(ref, value), 0)
}

function* textsIn(
  object: PDFObject,
  assign: (value: PDFObject) => void,
  depth: number,
): ReturnType<typeof textsOf> {
  if (depth > DEPTH_LIMIT || object instanceof PDFRef) return
  if (object instanceof PDFString || object instanceof PDFHexString)
    yield { text: textOf(object), set: text => assign(PDFHexString.fromText(text)) }
  const dict = dictOf(object)
  for (const [key, value] of dict?.entries() ?? [])
    yield* textsIn(value, made => dict?.set(key, made), depth + 1)
  if (object instanceof PDFArray)
    for (const [index, value] of object.asArray().entries())
      yield* textsIn(value, made => object.set(index, made), depth + 1)
}
