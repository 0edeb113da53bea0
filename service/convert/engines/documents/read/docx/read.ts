import { JobFailure } from '../../../../../shared/errors.ts'
import { ownValue } from '../../../common/own-value.ts'
import { childOf, childrenOf, elementsOf, type XmlElement } from '../../../common/xml/element.ts'
import type { ReadOptions } from '../../format.ts'
import { type Block, type Document, type Inline, paragraphOf, run } from '../../model.ts'
import { assemble, type ReadParagraph } from './assemble.ts'
import { chartBlocks } from './chart.ts'
import { Chunks } from './chunks.ts'
import { diagramBlocks } from './diagram.ts'
import { InlineReader, isMonospacedFont } from './inline.ts'
import { hasWords, type ListPlace, Lists } from './numbering.ts'
import { OfficePackage, otherFormat, type Relationships } from './package.ts'
import {
  alignment,
  codeOf,
  continuesInNext,
  headingLevel,
  isCode,
  isHeadingBold,
  isQuote,
  isUncounted,
  numbered,
  plainProse,
  textStyle,
  trimmed,
  withoutBold,
} from './paragraph.ts'
import { Styles, setting, toggle, value } from './styles.ts'
import { tableBlocks } from './tables.ts'

/**
 * Reads a Word document (ECMA-376, transitional or strict). Tracked insertions are accepted and tracked deletions left out.
 * Tables of contents are left out, since their page numbers are meaningless elsewhere.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export const readDocx = (bytes: Uint8Array, options: ReadOptions = {}): Document =>
  readAtDepth(bytes, options, 0)

/** @param depth nesting of a document in others */
function readAtDepth(
  bytes: Uint8Array,
  { password, comments = false }: ReadOptions,
  depth: number,
): Document {
  const files = new OfficePackage(bytes, password)
  const main = files.main('word/document.xml')
  const body = childOf(files.xml(main), 'w:body')
  if (!body) throw files.file('mimetype') ? otherFormat() : new JobFailure('jobs.corrupt_input')
  const chunks = new Chunks(depth, (inner, level) => readAtDepth(inner, { comments }, level))
  return new Reader(files, main, { hasComments: comments, chunks }).read(body)
}

class Reader {
  readonly #files: OfficePackage
  readonly #main: string
  readonly #parts = new Map<string, string>()
  readonly #styles: Styles
  readonly #lists: Lists
  readonly #isMonospaced: boolean
  readonly #noteElements = new Map<string, XmlElement>()
  readonly #notes = new Map<string, Block[]>()
  readonly #hasComments: boolean
  readonly #chunks: Chunks
  #tableDepth = 0
  #lostObjects = 0

  constructor(
    files: OfficePackage,
    main: string,
    { hasComments, chunks }: { hasComments: boolean; chunks: Chunks },
  ) {
    this.#files = files
    this.#chunks = chunks
    this.#hasComments = hasComments
    this.#main = main
    for (const { type, target } of files.relationships(main).values()) {
      this.#parts.set(type.slice(type.lastIndexOf('/') + 1), target)
    }
    const part = (name: string) => files.xml(this.#parts.get(name) ?? `word/${name}.xml`)
    this.#styles = new Styles(part('styles'))
    this.#lists = new Lists(part('numbering'))
    const normal = this.#styles.get(this.#styles.defaultParagraph)
    this.#isMonospaced = isMonospacedFont(
      setting([...normal.run, this.#styles.defaultRun], 'w:rFonts', 'w:ascii'),
    )
    for (const [prefix, name, element] of [
      ['f', 'footnotes', 'w:footnote'],
      ['e', 'endnotes', 'w:endnote'],
      ['c', 'comments', 'w:comment'],
    ] as const) {
      if (prefix === 'c' && !hasComments) continue
      for (const note of childrenOf(part(name), element)) {
        const { 'w:id': id = '', 'w:type': type = 'normal' } = note.attributes
        if (type === 'normal') this.#noteElements.set(prefix + id, note)
      }
    }
  }

  read(body: XmlElement): Document {
    const blocks = this.#blocks(body, this.#files.relationships(this.#main))
    const property = this.#files.properties()
    const paragraphs = blocks.filter(block => block.kind === 'paragraph')
    const rightToLeft = paragraphs.filter(paragraph => paragraph.rightToLeft).length * 2 > paragraphs.length
    return {
      title: property('dc:title'),
      authors: property('dc:creator')
        .split(/\s*;\s*/)
        .filter(Boolean),
      description: property('dc:description'),
      language: property('dc:language') || (value(this.#styles.defaultRun, 'w:lang') ?? ''),
      rightToLeft,
      blocks,
      notes: new Map([...this.#notes, ...this.#chunks.notes]),
      file: name => this.#chunks.file(name) ?? this.#files.file(name),
      lostObjects: this.#lostObjects + this.#chunks.lostObjects,
      unsupportedChunks: this.#chunks.lost,
    }
  }

  #blocks(container: XmlElement, relationships: Relationships): Block[] {
    const entries: ReadParagraph[] = []
    const boxes: (() => Block[])[] = []
    /** Content that belongs to the next paragraph: bookmarks, drop caps and paragraphs that continue in it. */
    const before: Inline[] = []
    const inlines = new InlineReader({
      styles: this.#styles,
      relationships,
      isMonospaced: this.#isMonospaced,
      onTextBox: content => boxes.push(() => this.#blocks(content, relationships)),
      onData: (kind, part) => {
        // The data alone, without their appearance.
        const blocks = this.#files.data(part, kind === 'chart' ? chartBlocks : diagramBlocks)
        if (blocks.length > 0) boxes.push(() => blocks)
        return blocks.length > 0
      },
      onLostObject: () => this.#lostObjects++,
      hasComments: this.#hasComments,
    })
    const put = (blocks: readonly Block[]) =>
      entries.push(...blocks.map(block => ({ kind: 'block' as const, block, indent: 0 })))
    /** Closes pending content when there is no next paragraph. */
    const close = (): void => {
      const left = before.splice(0)
      if (left.every(part => part.kind === 'anchor')) return
      put([paragraphOf(left)])
    }
    const visitAll = (element: XmlElement | undefined) => elementsOf(element).forEach(visit)
    const formula = (element: XmlElement) => visit({ name: 'w:p', attributes: {}, children: [element] })
    const readers: Record<string, (element: XmlElement) => void> = {
      'w:p': element => {
        this.#paragraph(element, inlines, entries, before)
        // The content of text boxes follows their paragraph.
        for (const box of boxes.splice(0)) put(box())
      },
      'w:bookmarkStart': ({ attributes: { 'w:name': name } }) => {
        if (name) before.push({ kind: 'anchor', name })
      },
      'w:tbl': element => {
        close()
        put(this.#table(element, relationships))
      },
      'w:sdt': element => visitAll(childOf(element, 'w:sdtContent')),
      'w:customXml': visitAll,
      'w:ins': visitAll,
      'w:moveTo': visitAll,
      'mc:AlternateContent': element =>
        visitAll(childOf(element, 'mc:Choice') ?? childOf(element, 'mc:Fallback')),
      'm:oMathPara': formula,
      'm:oMath': formula,
      'w:altChunk': ({ attributes }) => {
        const source = relationships.get(attributes['r:id'] ?? '')?.target ?? ''
        put(this.#chunks.blocks(this.#files.file(source), source))
      },
    }
    const visit = (element: XmlElement): void => ownValue(readers, element.name)?.(element)
    visitAll(container)
    close()
    return assemble(entries)
  }

  #paragraph(element: XmlElement, inlines: InlineReader, entries: ReadParagraph[], before: Inline[]): void {
    const own = childOf(element, 'w:pPr')
    const style = this.#styles.get(setting([own], 'w:pStyle') ?? this.#styles.defaultParagraph)
    const read = inlines.read(element, textStyle(style))
    if (continuesInNext(own)) {
      before.push(...read)
      return
    }
    const content = [...before.splice(0), ...plainProse(trimmed(read), style)]
    this.#readNotes(content)
    if (/^(?:toc \d|toc heading|table of figures)$/.test(style.name)) return
    const properties = [own, ...style.paragraph]
    const level = headingLevel(style, properties)
    const isEmpty = content.every(part => part.kind === 'anchor')
    const place = isEmpty && isUncounted(own) ? undefined : this.#place(properties)
    if (level !== undefined) {
      const marked = numbered(place?.label, isHeadingBold(content) ? withoutBold(content) : content)
      if (!isEmpty)
        entries.push({ kind: 'block', block: { kind: 'heading', level, content: marked }, indent: 0 })
      return
    }
    if (!place && isCode(content, style, !this.#isMonospaced)) {
      entries.push({ kind: 'code', text: codeOf(content) })
      return
    }
    // An empty item of a numbered list shows its number.
    if (isEmpty && !content.length && !(place?.info.ordered && place.info.isMarked)) {
      entries.push({ kind: 'gap' })
      return
    }
    const indent = properties.map(property => childOf(property, 'w:ind')?.attributes).find(found => found)
    const paragraph = paragraphOf(content, {
      role: style.name === 'subtitle' ? 'subtitle' : style.name === 'caption' ? 'caption' : 'text',
      align: alignment(setting(properties, 'w:jc')),
      rightToLeft: toggle(properties, 'w:bidi'),
    })
    const left = Number(indent?.['w:left'] ?? indent?.['w:start'] ?? 0)
    if (place && hasWords(place.info))
      entries.push({
        ...{ kind: 'block', indent: 0 },
        block: { ...paragraph, content: numbered(place.label, content) },
      })
    else if (place?.info.isMarked) {
      const isLoose = style.name !== 'compact'
      entries.push({ kind: 'item', block: paragraph, place, indent: left || place.info.indent, isLoose })
    } else if (isQuote(style)) entries.push({ kind: 'quote', block: paragraph })
    else entries.push({ kind: 'block', block: paragraph, indent: left || (place?.info.indent ?? 0) })
  }

  /** Counts a paragraph of a list. Its list and level may come from different styles. */
  #place(properties: readonly (XmlElement | undefined)[]): ListPlace | undefined {
    const numberings = properties.map(property => childOf(property, 'w:numPr'))
    return this.#lists.next(
      setting(numberings, 'w:numId') ?? '0',
      Number.parseInt(setting(numberings, 'w:ilvl') ?? '', 10) || 0,
    )
  }

  /** Reads the notes that a text refers to, in its order. */
  #readNotes(content: readonly Inline[]): void {
    for (const part of content) {
      if (part.kind === 'link' || part.kind === 'reference') this.#readNotes(part.content)
      if (part.kind !== 'note' || this.#notes.has(part.key)) continue
      const element = this.#noteElements.get(part.key)
      if (!element) continue
      // The entry is added before the note is read, since a note may refer to itself.
      this.#notes.set(part.key, [])
      const source = this.#parts.get(NOTE_PARTS[part.key[0] ?? ''] ?? '') ?? ''
      const blocks = this.#blocks(element, this.#files.relationships(source))
      const author = element.attributes['w:author']
      this.#notes.set(part.key, author ? signed(blocks, author) : blocks)
    }
  }

  #table(element: XmlElement, relationships: Relationships): Block[] {
    this.#tableDepth++
    const blocks = tableBlocks(element, this.#tableDepth, cell => this.#blocks(cell, relationships))
    this.#tableDepth--
    return blocks
  }
}

/** Relationship types of notes and comments, by the first letter of their keys. */
const NOTE_PARTS: Record<string, string> = { f: 'footnotes', e: 'endnotes', c: 'comments' }

/** A comment, preceded by its author. */
function signed(blocks: Block[], author: string): Block[] {
  const name = run(`${author}:`, { bold: true })
  const [first, ...rest] = blocks
  if (first?.kind === 'paragraph') return [{ ...first, content: [name, run(' '), ...first.content] }, ...rest]
  return [paragraphOf([name]), ...blocks]
}
