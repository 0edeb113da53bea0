/** Marks the content of hidden layers, so that readers of the page can skip it. */
import { type PDFDict, type PDFDocument, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib'
import { nameIn, operations } from '../pdfa/content.ts'
import {
  contentStreams,
  dataOf,
  dictEntry,
  dictOf,
  entry,
  keepAnnotations,
  name,
  nameEntry,
  resourcesOf,
  setData,
} from '../pdfa/objects.ts'
import type { Shows } from './layers.ts'

/** Tag of hidden marked content; only this code uses it. */
export const HIDDEN_MARK = 'RefileHidden'

const DEPTH_LIMIT = 24

/** @returns whether anything was hidden */
export function markHidden(document: PDFDocument, shows: Shows): boolean {
  const marker = new Marker(document, shows)
  for (const page of document.getPages()) marker.page(page.node)
  return marker.changed
}

class Marker {
  changed = false
  readonly #document: PDFDocument
  readonly #shows: Shows
  readonly #forms = new Set<PDFObject>()

  constructor(document: PDFDocument, shows: Shows) {
    this.#document = document
    this.#shows = shows
  }

  page(page: PDFDict): void {
    const { context } = this.#document
    const resources = resourcesOf(page)
    const parts = draws(resources) ? contentStreams(page).map(dataOf) : []
    if (parts.length > 0 && parts.every(part => part !== undefined)) {
      const marked = this.#marked(Buffer.concat(parts.flatMap(part => [part, NEW_LINE])), resources)
      if (marked) page.set(name('Contents'), context.register(context.flateStream(marked)))
    }
    this.#formsOf(resources, 0)
    if (keepAnnotations(page, annotation => this.#shows(entry(annotation, 'OC')))) this.changed = true
  }

  #formsOf(resources: PDFDict | undefined, depth: number): void {
    const objects = dictEntry(resources, 'XObject')
    if (!objects || depth > DEPTH_LIMIT) return
    for (const reference of objects.values()) {
      const form = this.#document.context.lookup(reference)
      if (!(form instanceof PDFRawStream) || this.#forms.has(form)) continue
      this.#forms.add(form)
      if (nameEntry(form.dict, 'Subtype') !== 'Form') continue
      const own = dictEntry(form.dict, 'Resources') ?? resources
      const content = dataOf(form)
      const marked = content && this.#marked(content, own)
      if (marked) setData(form, marked)
      this.#formsOf(own, depth + 1)
    }
  }

  /** The content with hidden parts marked and hidden objects removed; undefined if nothing is hidden. */
  #marked(content: Buffer, resources: PDFDict | undefined): Buffer | undefined {
    const properties = dictEntry(resources, 'Properties')
    const objects = dictEntry(resources, 'XObject')
    const pieces: (Buffer | string)[] = []
    /** Whether each open part is hidden; parts within a hidden one are not marked again. */
    const open: boolean[] = []
    let hidden = 0
    let copied = 0
    const insert = (at: number, piece: string, goOn = at) => {
      pieces.push(content.subarray(copied, at), piece)
      copied = goOn
    }
    try {
      for (const { operator, operands, from, to } of operations(content)) {
        if (operator === 'BMC' || operator === 'BDC') {
          const [tag, list] = operands.map(nameIn)
          const group = tag === 'OC' && list !== undefined && properties ? entry(properties, list) : undefined
          const hides = hidden === 0 && group !== undefined && !this.#shows(group)
          open.push(hides)
          if (!hides) continue
          hidden += 1
          insert(to, ` /${HIDDEN_MARK} BMC`)
        } else if (operator === 'EMC' && open.pop()) {
          hidden -= 1
          insert(from, ' EMC ')
        } else if (operator === 'Do') {
          const drawn = nameIn(operands[0])
          const object = drawn !== undefined && objects ? entry(objects, drawn) : undefined
          const dict = dictOf(object)
          if (dict && (hidden > 0 || !this.#shows(entry(dict, 'OC')))) insert(from, ' ', to)
        }
      }
    } catch {
      // Content after the damage is left unchanged.
    }
    if (pieces.length === 0) return undefined
    this.changed = true
    pieces.push(content.subarray(copied))
    return Buffer.concat(pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
  }
}

const NEW_LINE = Buffer.from('\n')

/** Whether content with these resources can have layers. */
const draws = (resources: PDFDict | undefined) =>
  ['Properties', 'XObject'].some(key => resources?.has(name(key)))
