import { escapeXml } from '../../../common/xml/characters.ts'
import { type Frame, paragraphXml } from './frame.ts'
import { type Look, runXml } from './look.ts'

interface Open {
  frame: Frame
  properties: string
  parts: string[]
  /** Text of one formatting that has not been written yet. */
  run: { properties: string; text: string } | undefined
  link: string | undefined
  endsWithSpace: boolean
}

/** Paragraphs and tables of the text, of a cell or of a note, assembled from pieces of text. */
export class Story {
  #blocks: string[] = []
  #isEmpty = true
  #open: Open | undefined
  /** Bookmarks for the start of the next paragraph. */
  #places: string[] = []
  #breaksPage = false
  #endsWithTable = false

  /** The current paragraph. */
  #paragraph(frame: Frame): Open {
    if (this.#open) return this.#open
    const properties = paragraphXml(frame, this.#breaksPage)
    this.#breaksPage = false
    if (frame.entry) frame.entry.isMarked = true
    const parts = this.#places
    this.#places = []
    this.#open = {
      frame,
      properties,
      parts,
      run: undefined,
      link: undefined,
      endsWithSpace: true,
    }
    return this.#open
  }

  /**
   * Adds text; white space collapses to one space unless it is preserved, and is dropped at the start of a paragraph.
   */
  text(text: string, look: Look, frame: Frame): void {
    if (look.keepsSpace) {
      this.#kept(text, look, frame)
      return
    }
    let flat = text.replace(/[ \t\n\r\f]+/g, ' ')
    if (flat === '' || (flat === ' ' && (!this.#open || this.#open.endsWithSpace))) return
    const open = this.#paragraph(frame)
    if (open.endsWithSpace) flat = flat.replace(/^ /, '')
    this.#run(open, flat, look)
    open.endsWithSpace = flat.endsWith(' ')
  }

  #kept(text: string, look: Look, frame: Frame): void {
    const lines = text.replace(/\r\n?/g, '\n').split('\n')
    for (const [index, line] of lines.entries()) {
      if (index > 0 && (this.#open || lines.slice(index).some(rest => rest !== ''))) {
        // A line break at the start of a code block is dropped.
        if (this.#open) this.inline('<w:r><w:br/></w:r>', frame)
      }
      for (const [at, part] of line.split('\t').entries()) {
        if (at > 0) this.inline('<w:r><w:tab/></w:r>', frame)
        if (part === '') continue
        const open = this.#paragraph(frame)
        this.#run(open, part, look)
        open.endsWithSpace = false
      }
    }
  }

  #run(open: Open, text: string, look: Look): void {
    if (text === '') return
    const properties = runXml(look, open.frame.style, text)
    if (look.link !== open.link) this.#turnTo(look.link, open)
    if (open.run?.properties === properties) open.run.text += text
    else {
      this.#flush(open)
      open.run = { properties, text }
    }
  }

  #turnTo(link: string | undefined, open: Open): void {
    this.#flush(open)
    if (open.link !== undefined) open.parts.push('</w:hyperlink>')
    if (link !== undefined) open.parts.push(`<w:hyperlink ${link}>`)
    open.link = link
  }

  #flush(open: Open): void {
    if (!open.run) return
    const { properties, text } = open.run
    open.parts.push(`<w:r>${properties}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`)
    open.run = undefined
  }

  /** Adds runs unchanged: breaks, pictures, formulas, references to notes. */
  inline(xml: string, frame: Frame, link?: string): void {
    const open = this.#paragraph(frame)
    this.#turnTo(link, open)
    open.parts.push(xml)
    open.endsWithSpace = xml.includes('<w:br/>')
  }

  /** Marks a link target. */
  place(xml: string): void {
    if (!this.#open) {
      this.#places.push(xml)
      return
    }
    this.#flush(this.#open)
    this.#open.parts.push(xml)
  }

  /** Ends the paragraph, if one is open. */
  close(): void {
    const open = this.#open
    if (!open) return
    this.#turnTo(undefined, open)
    this.#open = undefined
    this.#add(`<w:p>${open.properties}${open.parts.join('')}</w:p>`)
    this.#endsWithTable = false
  }

  /** Adds a paragraph without text, such as a line across the page. */
  blank(frame: Frame): void {
    this.close()
    this.#paragraph(frame)
    this.close()
  }

  table(xml: string, frame: Frame): void {
    this.close()
    const { pitch, before = 0 } = frame
    const line = pitch === undefined ? {} : { pitch: Math.max(20, before) }
    // Word joins adjacent tables; bookmarks, page breaks and space need a paragraph.
    if (this.#endsWithTable || this.#breaksPage || this.#places.length > 0 || (line.pitch ?? 0) > 20)
      this.blank({ ...frame, ...line, entry: undefined, before: 0, after: 0, style: 'Normal' })
    this.#add(xml)
    this.#endsWithTable = true
  }

  /** The next paragraph starts a page. */
  breakPage(): void {
    this.close()
    this.#breaksPage = this.#breaksPage || !this.#isEmpty
  }

  /** What follows starts a column. */
  breakColumn(): void {
    this.#invisible('', '<w:r><w:br w:type="column"/></w:r>')
  }

  /** @param xml `w:sectPr` of what was written since the last section */
  endSection(xml: string): void {
    this.#invisible(xml, '')
  }

  /** A paragraph without height. */
  #invisible(properties: string, content: string): void {
    this.close()
    this.#add(
      `<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="1" w:lineRule="exact"/>${properties}</w:pPr>${content}</w:p>`,
    )
    this.#endsWithTable = false
  }

  #add(block: string): void {
    this.#blocks.push(block)
    this.#isEmpty = false
  }

  /** Takes the XML of the finished paragraphs and tables out of the story, so that a long text does not stay in memory. */
  take(): string {
    const xml = this.#blocks.join('')
    this.#blocks = []
    return xml
  }

  /** Everything that has not been taken as XML, ending with a paragraph, as required in cells and notes. */
  finish(frame: Frame): string {
    this.close()
    if (this.#isEmpty || this.#endsWithTable || this.#places.length > 0)
      this.blank({ ...frame, entry: undefined })
    return this.take()
  }
}
