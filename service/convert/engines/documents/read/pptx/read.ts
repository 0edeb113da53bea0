/** Reads the text of a presentation (ECMA-376 part 1, 19) as one document, with a heading for each slide. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { childOf, childrenOf, elementsOf, findIn, type XmlElement } from '../../../common/xml/element.ts'
import type { ReadOptions } from '../../format.ts'
import { type Block, type Document, documentWith, paragraphOf, plainText, run } from '../../model.ts'
import { chartBlocks } from '../docx/chart.ts'
import { diagramBlocks } from '../docx/diagram.ts'
import { OfficePackage, otherFormat, type Relationships } from '../docx/package.ts'
import { EMU_PER_POINT, sourceOf } from '../docx/picture.ts'
import { inlineOf, slideTable, textBlocks } from './text.ts'

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
export function readPptx(bytes: Uint8Array, options: ReadOptions = {}): Document {
  const files = new OfficePackage(bytes, options.password)
  const main = files.main('ppt/presentation.xml')
  const presentation = files.xml(main)
  if (presentation?.name !== 'p:presentation')
    throw presentation || files.file('mimetype') ? otherFormat() : new JobFailure('jobs.corrupt_input')
  const links = files.relationships(main)
  const reader = new Reader(files, options)
  const slides = childrenOf(childOf(presentation, 'p:sldIdLst'), 'p:sldId').map(
    ({ attributes }) => links.get(attributes['r:id'] ?? '')?.target,
  )
  const blocks = slides.flatMap(slide => (slide === undefined ? [] : reader.slide(slide)))
  const property = files.properties()
  const creator = property('dc:creator')
  return documentWith({
    title: property('dc:title'),
    authors: creator ? [creator] : [],
    language: findIn(presentation, 'a:defRPr')?.attributes.lang ?? '',
    rightToLeft: presentation.attributes.rtl === '1',
    description: property('dc:description'),
    blocks,
    file: name => files.file(name),
    lostObjects: reader.lostObjects,
  })
}

/** Placeholders with what is on every slide. */
const FURNITURE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])

class Reader {
  readonly #files: OfficePackage
  readonly #options: ReadOptions
  lostObjects = 0

  constructor(files: OfficePackage, options: ReadOptions) {
    this.#files = files
    this.#options = options
  }

  slide(part: string): Block[] {
    const slide = this.#files.xml(part)
    if (!slide || (slide.attributes.show === '0' && !this.#options.hiddenSlides)) return []
    const links = this.#files.relationships(part)
    const shapes = shapesIn(treeOf(slide))
    const title = shapes.find(shape => /^(?:ctrT|t)itle$/.test(placeholderOf(shape)?.type ?? ''))
    const heading = childrenOf(childOf(title, 'p:txBody'), 'a:p').flatMap((line, index) => [
      ...(index > 0 ? [run(' ')] : []),
      ...inlineOf(line, links).map(part => (part.kind === 'break' ? run(' ') : part)),
    ])
    const others = shapes.filter(shape => shape !== title)
    const blocks = inReadingOrder(others).flatMap(shape => this.#shape(shape, links))
    if (plainText(heading).trim() !== '') blocks.unshift({ kind: 'heading', level: 1, content: heading })
    return [...blocks, ...(this.#options.notes ? this.#notes(links) : [])]
  }

  #notes(links: Relationships): Block[] {
    const part = [...links.values()].find(({ type }) => type.endsWith('/notesSlide'))?.target
    const shapes = part ? shapesIn(treeOf(this.#files.xml(part))) : []
    const blocks = shapes
      .filter(shape => placeholderOf(shape)?.type === 'body')
      .flatMap(shape => textBlocks(childOf(shape, 'p:txBody'), new Map(), { isOutline: false }))
    return blocks.length > 0 ? [{ kind: 'quote', blocks }] : []
  }

  #shape(shape: XmlElement, links: Relationships): Block[] {
    const placeholder = placeholderOf(shape)
    if (placeholder && FURNITURE.has(placeholder.type)) return []
    switch (shape.name) {
      case 'p:sp':
        // The outline of a slide is a list, unless its lines say otherwise.
        return textBlocks(childOf(shape, 'p:txBody'), links, {
          isOutline: placeholder !== undefined && /^(?:body|obj)$/.test(placeholder.type),
        })
      case 'p:pic':
        return picture(shape, links)
      case 'p:grpSp':
        return inReadingOrder(shapesIn(shape)).flatMap(inner => this.#shape(inner, links))
      case 'p:graphicFrame':
        return this.#graphic(shape, links)
      default:
        return []
    }
  }

  #graphic(frame: XmlElement, links: Relationships): Block[] {
    const data = findIn(frame, 'a:graphicData')
    const table = childOf(data, 'a:tbl')
    if (table) return slideTable(table, links)
    const chart = findIn(data, 'c:chart')?.attributes['r:id']
    const diagram = findIn(data, 'dgm:relIds')?.attributes['r:dm']
    const part = links.get(chart ?? diagram ?? '')?.target
    const blocks = part ? this.#files.data(part, chart === undefined ? diagramBlocks : chartBlocks) : []
    if (blocks.length > 0) return blocks
    const shown = findIn(data, 'p:pic')
    const drawn = shown ? picture(shown, links) : []
    if (drawn.length === 0) this.lostObjects++
    return drawn
  }
}

const treeOf = (slide: XmlElement | undefined) => childOf(childOf(slide, 'p:cSld'), 'p:spTree')

/** The shapes directly in a tree or group; of alternatives, the one for all programs. */
const shapesIn = (tree: XmlElement | undefined): XmlElement[] =>
  elementsOf(tree).flatMap(child =>
    child.name === 'mc:AlternateContent'
      ? shapesIn(childOf(child, 'mc:Fallback') ?? childOf(child, 'mc:Choice'))
      : /^p:(?:sp|pic|grpSp|graphicFrame)$/.test(child.name)
        ? [child]
        : [],
  )

/** The placeholder that a shape fills; a type that is not named is `obj`. */
function placeholderOf(shape: XmlElement): { type: string } | undefined {
  const found = findIn(
    elementsOf(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name)),
    'p:ph',
  )
  return found && { type: found.attributes.type ?? 'obj' }
}

/** From top to bottom and left to right; those whose place only the layout knows are first, in their order. */
const inReadingOrder = (shapes: readonly XmlElement[]): XmlElement[] =>
  shapes
    .map(shape => {
      const frame = elementsOf(shape).find(({ name }) => /^p:(?:s|grpS)pPr$|^p:xfrm$/.test(name))
      const { x, y } = findIn(frame, 'a:off')?.attributes ?? {}
      return { shape, top: y === undefined ? Number.NEGATIVE_INFINITY : Number(y) || 0, left: Number(x) || 0 }
    })
    .toSorted((a, b) => (a.top === b.top ? a.left - b.left : a.top - b.top))
    .map(({ shape }) => shape)

function picture(shape: XmlElement, links: Relationships): Block[] {
  const blip = findIn(childOf(shape, 'p:blipFill'), 'a:blip')
  const source = blip && sourceOf(blip, links)
  if (!source) return []
  const { descr = '' } = findIn(shape, 'p:cNvPr')?.attributes ?? {}
  const size = findIn(childOf(shape, 'p:spPr'), 'a:ext')?.attributes
  const use = {
    source,
    description: descr.replace(/\s+/g, ' ').trim(),
    width: (Number(size?.cx) || 0) / EMU_PER_POINT,
    height: (Number(size?.cy) || 0) / EMU_PER_POINT,
  }
  return [paragraphOf([{ kind: 'picture', picture: use }])]
}
