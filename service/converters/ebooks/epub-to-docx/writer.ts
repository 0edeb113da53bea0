/** Writes the documents of a book as one Word document. */
import type { StyleOf, StyleSheets } from '../../../engines/book/css/cascade.ts'
import { elementsIn, isRemote } from '../../../engines/book/links.ts'
import { bodyOf, decodeText } from '../../../engines/book/markup/document.ts'
import { readTree } from '../../../engines/book/markup/tree.ts'
import { escapeXml } from '../../../engines/book/markup/write.ts'
import { isPicture, isSvg } from '../../../engines/book/media-types.ts'
import type { Book, Resource } from '../../../engines/book/model.ts'
import { elementsOf, textOf, type XmlElement } from '../../../engines/formats/xml.ts'
import { drawingXml } from '../../../engines/word/drawing.ts'
import { mathsXml } from '../../../engines/word/maths.ts'
import { DEEPEST_LEVEL, Numbering } from '../../../engines/word/numbering.ts'
import { Relationships } from '../../../engines/word/package.ts'
import { type Documents, documentOf, targetOf } from './documents.ts'
import { type Frame, frameOf, twips } from './frame.ts'
import { markerOf } from './lists.ts'
import { type Look, lookOf } from './look.ts'
import type { Note } from './notes.ts'
import { pictureOf, wordsIn } from './picture-elements.ts'
import type { Pictures, Shown } from './pictures.ts'
import { rubyXml } from './ruby.ts'
import { Story } from './story.ts'
import type { Survey } from './survey.ts'
import { columnWidths, hasLines, layOut, tableXml } from './table.ts'

/** Twentieths of a point in a CSS pixel. */
const PIXEL = 15

const BLOCKS = new Set(
  (
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p pre section summary ul'
  ).split(' '),
)
const SILENT = new Set(
  'audio canvas datalist embed head iframe input link meta noscript param rp script select source style template title track video wbr'.split(
    ' ',
  ),
)
const MEDIA = new Set(['audio', 'video', 'iframe', 'embed', 'canvas'])
const MATHML = 'http://www.w3.org/1998/Math/MathML'

/** A document of the book whose text is being written. */
interface Place {
  href: string
  styleOf: StyleOf
  relationships: Relationships
  /** The note that is written, which can have none itself. */
  note?: { note: Note; isAtStart: boolean } | undefined
}

export interface Page {
  /** Twentieths of a point between the margins. */
  width: number
  height: number
}

export class Writer {
  readonly relationships = new Relationships()
  readonly noteRelationships = new Relationships()
  readonly numbering = new Numbering()
  readonly footnotes: string[] = []
  /** Formulas that are text, as what they say cannot be written as one. */
  lostFormulas = 0
  /** Recordings and the like. */
  lostMedia = 0

  readonly #book: Book
  readonly #survey: Survey
  readonly #documents: Documents
  readonly #sheets: StyleSheets
  readonly #pictures: Pictures
  readonly #page: Page
  readonly #language: string
  readonly #bookmarks = new Map<string, number>()
  readonly #placed = new Set<string>()
  readonly #wanted = new Map<string, string[]>()
  readonly #notes: ReadonlySet<XmlElement>
  readonly #numbered = new Map<string, number>()
  readonly #shown = new Map<XmlElement, Shown | undefined>()
  readonly #styles = new Map<XmlElement, StyleOf>()
  #drawings = 0
  #story = new Story()
  #at: Place

  constructor(
    book: Book,
    survey: Survey,
    tools: { documents: Documents; sheets: StyleSheets; pictures: Pictures; page: Page },
  ) {
    this.#book = book
    this.#survey = survey
    this.#documents = tools.documents
    this.#sheets = tools.sheets
    this.#pictures = tools.pictures
    this.#page = tools.page
    this.#language = book.metadata.languages[0] ?? 'und'
    this.#notes = new Set([...survey.notes.values()].map(({ element }) => element))
    this.#at = { href: '', styleOf: () => ({}), relationships: this.relationships }
    for (const place of new Set(survey.places.values())) {
      this.#bookmarks.set(place, this.#bookmarks.size + 1)
      const href = documentOf(place)
      const list = this.#wanted.get(href)
      if (list) list.push(place)
      else this.#wanted.set(href, [place])
    }
  }

  get #frame(): Frame {
    return {
      style: 'Normal',
      left: 0,
      right: 0,
      indent: 0,
      rightToLeft: false,
      level: 0,
      width: this.#page.width,
    }
  }

  /** Puts the picture of the cover on a page of its own. */
  async cover(): Promise<void> {
    const { cover, metadata } = this.#book
    const shown = cover === undefined ? undefined : await this.#pictures.resource(cover)
    if (!shown) return
    const frame: Frame = { ...this.#frame, align: 'center' }
    this.#story.inline(this.#picture(shown, {}, metadata.title, frame), frame)
    this.#story.breakPage()
  }

  /** Adds paragraphs as they are, and begins a page after them. */
  pageOf(xml: string): void {
    this.#story.table(xml, this.#frame)
    this.#story.breakPage()
  }

  /** The anchor of a link to a place of the book; undefined where there is none. */
  anchor(target: string): string | undefined {
    const place = this.#survey.places.get(target)
    const number = place === undefined ? undefined : this.#bookmarks.get(place)
    return number === undefined ? undefined : `b${number}`
  }

  async document(href: string): Promise<void> {
    this.#story.breakPage()
    this.#mark(href)
    const root = this.#documents.root(href)
    const resource = this.#book.resources.get(href)
    if (root) {
      this.#at = { href, styleOf: this.#stylesOf(root, href), relationships: this.relationships }
      await this.#loadPictures(root, href)
      const { styleOf } = this.#at
      const look = lookOf(root, styleOf(root), { scale: 1, keepsSpace: false }, this.#language)
      const frame = frameOf(root, styleOf(root), this.#frame, 1)
      this.#visit(bodyOf(root), look, frame)
      this.#shown.clear()
      if (this.#styles.size > 50) this.#styles.clear()
    } else if (resource && isPicture(resource.mediaType)) {
      const shown = await this.#pictures.resource(href)
      const frame: Frame = { ...this.#frame, align: 'center' }
      if (shown) this.#story.inline(this.#picture(shown, {}, this.#wordsOf(resource), frame), frame)
    }
    this.#story.close()
    // Places in what is not shown are here.
    for (const place of this.#wanted.get(href) ?? []) this.#mark(place)
  }

  /** What is written in a drawing that is a page. */
  #wordsOf({ mediaType, bytes }: Resource): string {
    if (!isSvg(mediaType)) return ''
    try {
      return wordsIn(readTree(decodeText(bytes)).root)
    } catch {
      return ''
    }
  }

  /** Marks where a document of the book would be that the Word document does not have. */
  leaveOut(href: string): void {
    for (const place of [href, ...(this.#wanted.get(href) ?? [])]) this.#mark(place)
  }

  /** Loads what notes show, before the first of them is written. */
  async prepareNotes(): Promise<void> {
    for (const { element, href } of this.#survey.notes.values()) await this.#loadPictures(element, href)
  }

  /** All of the document; notes that nothing referred to come last. */
  async finish(): Promise<string> {
    for (const [target, note] of this.#survey.notes) {
      if (this.#numbered.has(target)) continue
      const root = this.#documents.root(note.href)
      if (!root) continue
      await this.#loadPictures(note.element, note.href)
      this.#at = {
        href: note.href,
        styleOf: this.#stylesOf(root, note.href),
        relationships: this.relationships,
      }
      this.#story.close()
      this.#children(note.element, { scale: 1, keepsSpace: false }, this.#frame)
    }
    for (const places of this.#wanted.values()) for (const place of places) this.#mark(place)
    return this.#story.finish(this.#frame)
  }

  #stylesOf(root: XmlElement, href: string): StyleOf {
    const known = this.#styles.get(root)
    if (known) return known
    const styleOf = this.#sheets.stylesOf(root, href)
    this.#styles.set(root, styleOf)
    return styleOf
  }

  async #loadPictures(root: XmlElement, href: string): Promise<void> {
    for (const element of elementsIn(root)) {
      const picture = pictureOf(element)
      if (!picture) continue
      const target = targetOf(href, picture.address)
      const shown =
        picture.address === undefined
          ? this.#pictures.drawing(element, href)
          : target === undefined
            ? this.#pictures.address(picture.address)
            : this.#pictures.resource(documentOf(target))
      this.#shown.set(element, await shown)
    }
  }

  /** Marks a place, if a link leads to it. */
  #mark(place: string): void {
    const number = this.#bookmarks.get(place)
    if (number === undefined || this.#placed.has(place)) return
    this.#placed.add(place)
    this.#story.place(
      `<w:bookmarkStart w:id="${number}" w:name="b${number}"/><w:bookmarkEnd w:id="${number}"/>`,
    )
  }

  #children(element: XmlElement, look: Look, frame: Frame): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.#text(child, look, frame)
      else this.#visit(child, look, frame)
    }
  }

  #text(text: string, look: Look, frame: Frame): void {
    const { note } = this.#at
    if (!note?.isAtStart || text.trim() === '') {
      this.#story.text(text, look, frame)
      return
    }
    // The number of a note is Word's own.
    const [, mark, rest = ''] = /^[\s[(]*([\p{L}\p{N}*†‡§¶]{0,4})[\])]?[.:)]?\s*(.*)$/su.exec(text) ?? []
    if (/^[[(\])\s.:]+$/.test(text)) return
    note.isAtStart = false
    const isMark = mark !== undefined && (mark === '' || note.note.marks.has(mark))
    this.#story.text(isMark && mark !== '' ? rest : text.replace(/^[\s.:)\]]+/, ''), look, frame)
  }

  #visit(element: XmlElement, outerLook: Look, outerFrame: Frame): void {
    const { name, attributes } = element
    if (this.#notes.has(element)) return
    const { href, styleOf } = this.#at
    const css = styleOf(element)
    if (SILENT.has(name)) {
      if (MEDIA.has(name)) this.lostMedia += 1
      return
    }
    if (css.display === 'none' || (attributes.hidden !== undefined && attributes.hidden !== 'until-found'))
      return
    const look = lookOf(element, css, outerLook, this.#language)
    const isBlock = BLOCKS.has(name)
      ? css.display === undefined || !css.display.startsWith('inline') || name === 'li'
      : /^(?:block|list-item|flex|grid|table)$/.test(css.display ?? '') && name !== 'br'
    const frame = isBlock || name === 'table' ? frameOf(element, css, outerFrame, look.scale) : outerFrame
    if (isBlock) this.#story.close()
    if (breaks(css, 'before')) this.#story.breakPage()
    for (const id of [attributes.id, name === 'a' ? attributes.name : undefined])
      if (id) this.#mark(`${href}#${id}`)
    this.#content(element, look, frame, isBlock)
    if (isBlock) this.#story.close()
    if (breaks(css, 'after')) this.#story.breakPage()
  }

  #content(element: XmlElement, look: Look, frame: Frame, isBlock: boolean): void {
    const { name } = element
    switch (name) {
      case 'br':
        this.#story.inline('<w:r><w:br/></w:r>', frame, look.link)
        return
      case 'hr':
        this.#story.blank({ ...frame, rule: true })
        return
      case 'img':
      case 'svg':
      case 'object':
        this.#pictureElement(element, look, frame)
        return
      case 'math':
        this.#maths(element, look, frame)
        return
      case 'ruby':
        this.#story.inline(rubyXml(element, look, frame.style, this.#language), frame, look.link)
        return
      case 'table':
        this.#table(element, look, frame)
        return
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        this.#list(element, look, { ...frame, level: frame.level + 1 })
        return
      case 'a':
        this.#link(element, look, frame)
        return
      case 'q':
        this.#text('“', look, frame)
        this.#children(element, look, frame)
        this.#text('”', look, frame)
        return
      case 'epub:switch':
        this.#children(chosenCase(element), look, frame)
        return
      case 'blockquote':
      case 'div':
      case 'section': {
        const css = this.#at.styleOf(element)
        const inner = isBlock ? { ...frame, before: undefined, after: undefined } : frame
        // Distances of a block around paragraphs are not theirs.
        const holdsText = element.children.some(child => typeof child === 'string' && child.trim() !== '')
        this.#children(element, look, holdsText && css.display !== 'inline' ? frame : inner)
        return
      }
      default:
        this.#children(element, look, frame)
    }
  }

  #list(element: XmlElement, look: Look, frame: Frame): void {
    const { styleOf } = this.#at
    const level = Math.min(frame.level - 1, DEEPEST_LEVEL)
    const outer = { ...frame, entry: undefined, indent: 0, before: undefined, after: undefined }
    let list: number | undefined
    let expected = 0
    for (const child of element.children) {
      if (typeof child === 'string') {
        this.#text(child, look, outer)
        continue
      }
      const marker =
        child.name === 'li'
          ? markerOf(element, child, { level, list: styleOf(element), entry: styleOf(child) })
          : undefined
      if (
        marker &&
        (list === undefined || ('start' in marker && marker.start !== undefined && marker.start !== expected))
      ) {
        const start = 'start' in marker ? (marker.start ?? 1) : 1
        list = this.numbering.add('bullet' in marker ? marker : { format: marker.format, start }, level)
        expected = start
      }
      expected += 1
      const entry = marker && list !== undefined ? { list, level, isMarked: false } : undefined
      this.#visit(child, look, { ...outer, entry })
    }
  }

  #link(element: XmlElement, look: Look, frame: Frame): void {
    const { href, note, relationships } = this.#at
    const reference = element.attributes.href
    const target = targetOf(href, reference)
    if (target !== undefined && note?.note.backs.has(target) && textOf(element).trim().length <= 12) return
    const cited = target === undefined ? undefined : this.#survey.notes.get(target)
    if (target !== undefined && cited && !note && !this.#numbered.has(target)) {
      for (const inner of elementsIn(element))
        if (inner.attributes.id) this.#mark(`${href}#${inner.attributes.id}`)
      const number = this.#note(target, cited)
      this.#story.inline(
        `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${number}"/></w:r>`,
        frame,
      )
      return
    }
    const anchor = target === undefined ? undefined : this.anchor(target)
    let link = anchor && `w:anchor="${anchor}" w:history="1"`
    if (!link && reference && isRemote(reference) && URL.canParse(reference)) {
      const address = new URL(reference)
      if (/^(?:https?|mailto|tel|ftp):$/.test(address.protocol))
        link = `r:id="${relationships.add('hyperlink', address.href, true)}" w:history="1"`
    }
    this.#children(element, { ...look, link: link ?? look.link }, frame)
  }

  /** Writes a footnote; returns its number. */
  #note(target: string, note: Note): number {
    const number = this.#numbered.size + 1
    this.#numbered.set(target, number)
    const [story, at] = [this.#story, this.#at]
    const root = this.#documents.root(note.href)
    this.#story = new Story()
    this.#at = {
      href: note.href,
      styleOf: root ? this.#stylesOf(root, note.href) : () => ({}),
      relationships: this.noteRelationships,
      note: { note, isAtStart: true },
    }
    const frame: Frame = { ...this.#frame, style: 'FootnoteText' }
    this.#story.inline(
      '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>',
      frame,
    )
    const { id } = note.element.attributes
    if (id) this.#mark(`${note.href}#${id}`)
    this.#inFirstParagraph(note.element, { scale: 1, keepsSpace: false }, frame)
    this.footnotes[number - 1] = this.#story.finish(frame)
    this.#story = story
    this.#at = at
    return number
  }

  /** Writes what a block holds; its first paragraph goes on where the mark of the note is. */
  #inFirstParagraph(element: XmlElement, look: Look, frame: Frame): void {
    const [first, ...rest] = element.children.filter(
      child => typeof child === 'object' || child.trim() !== '',
    )
    if (typeof first !== 'object' || !/^(?:p|div|section|aside)$/.test(first.name)) {
      this.#children(element, look, frame)
      return
    }
    const { id } = first.attributes
    if (id) this.#mark(`${this.#at.href}#${id}`)
    this.#inFirstParagraph(first, look, frame)
    this.#story.close()
    this.#children({ ...element, children: rest }, look, frame)
  }

  #maths(element: XmlElement, look: Look, frame: Frame): void {
    const xml = mathsXml(element)
    const isDisplayed = element.attributes.display === 'block'
    if (xml === undefined) {
      const said = element.attributes.alttext ?? textOf(element).replace(/\s+/g, ' ').trim()
      if (said !== '') this.lostFormulas += 1
      this.#story.text(said, look, frame)
      return
    }
    this.#story.inline(
      isDisplayed ? `<m:oMathPara><m:oMath>${xml}</m:oMath></m:oMathPara>` : `<m:oMath>${xml}</m:oMath>`,
      frame,
      undefined,
    )
  }

  #pictureElement(element: XmlElement, look: Look, frame: Frame): void {
    const picture = pictureOf(element)
    const shown = this.#shown.get(element)
    if (picture && shown) {
      const css = this.#at.styleOf(element)
      const { width, height } = element.attributes
      const pixels = (text: string | undefined) => (/^[\d.]+$/.test(text ?? '') ? `${text}px` : text)
      const size = {
        width: twips(css.width, frame.width) ?? twips(pixels(width), frame.width),
        height: twips(css.height, this.#page.height) ?? twips(pixels(height), this.#page.height),
        most: twips(css['max-width'], frame.width),
      }
      this.#story.inline(this.#picture(shown, size, picture.alternative, frame), frame, look.link)
    } else if (element.name === 'object') this.#children(element, look, frame)
    else if (picture?.alternative) this.#story.text(picture.alternative, look, frame)
  }

  /** A picture in the size that styles give it, within the page. */
  #picture(
    shown: Shown,
    size: { width?: number | undefined; height?: number | undefined; most?: number | undefined },
    alternative: string,
    frame: Frame,
  ): string {
    const ratio = shown.height / shown.width
    let width = size.width || (size.height ? size.height / ratio : shown.width * PIXEL)
    let height = size.width && size.height ? size.height : width * ratio
    const room = Math.max(300, frame.width - frame.left - frame.right)
    const scale = Math.min(1, room / width, (this.#page.height * 0.95) / height, (size.most || width) / width)
    width *= scale
    height *= scale
    const { relationships } = this.#at
    this.#drawings += 1
    return drawingXml({
      id: this.#drawings,
      relationship: relationships.add('image', `media/${shown.name}`),
      svgRelationship: shown.svg && relationships.add('image', `media/${shown.svg}`),
      width: width / PIXEL,
      height: height / PIXEL,
      alternative: alternative.replace(/\s+/g, ' ').trim(),
    })
  }

  #table(element: XmlElement, look: Look, frame: Frame): void {
    const { styleOf } = this.#at
    this.#story.close()
    const layout = layOut(element)
    for (const caption of elementsOf(element))
      if (caption.name === 'caption') this.#visit(caption, look, frame)
    this.#story.close()
    if (!layout) return
    const room = Math.max(600, frame.width - frame.left - frame.right)
    const widths = columnWidths(layout, styleOf, room)
    const isLined = hasLines(element, layout, styleOf)
    const around = { frame: { ...frame, left: frame.left + frame.level * 360 }, isLined, styleOf }
    const xml = tableXml(layout, widths, around, (cell, width) => {
      const story = this.#story
      this.#story = new Story()
      const inner: Frame = {
        ...frame,
        left: 0,
        right: 0,
        indent: 0,
        level: 0,
        entry: undefined,
        before: 0,
        after: 0,
        width: Math.max(300, width - 200),
        align: cell.name === 'th' ? 'center' : frame.align === 'center' ? undefined : frame.align,
      }
      const css = styleOf(cell)
      const own = lookOf(cell, css, look, this.#language)
      const placed = { ...frameOf(cell, css, inner, own.scale), left: 0, right: 0 }
      if (cell.attributes.id) this.#mark(`${this.#at.href}#${cell.attributes.id}`)
      this.#children(cell, own, placed)
      const written = this.#story.finish(placed)
      this.#story = story
      return written
    })
    this.#story.table(xml, frame)
  }
}

const breaks = (css: Record<string, string | undefined>, side: 'before' | 'after') =>
  /^(?:always|page|left|right|recto|verso)$/.test(css[`break-${side}`] ?? css[`page-break-${side}`] ?? '')

/** The case of a switch that Word can show, or else the default one. */
function chosenCase(element: XmlElement): XmlElement {
  const cases = elementsOf(element)
  const found =
    cases.find(each => each.name === 'epub:case' && each.attributes['required-namespace'] === MATHML) ??
    cases.find(({ name }) => name === 'epub:default')
  return found ?? { name: '', attributes: {}, children: [] }
}

/** Text of a link to a place of the document. */
export const linkXml = (anchor: string | undefined, text: string): string => {
  const run = `<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
  return anchor === undefined ? run : `<w:hyperlink w:anchor="${anchor}" w:history="1">${run}</w:hyperlink>`
}
