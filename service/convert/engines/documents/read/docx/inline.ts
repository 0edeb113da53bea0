import { ownValue } from '../../../common/own-value.ts'
import {
  childOf,
  childrenOf,
  elementsOf,
  findIn,
  textOf,
  type XmlElement,
} from '../../../common/xml/element.ts'
import { readOmml } from '../../equations/read-omml.ts'
import { addText, type Inline, type Marks, run } from '../../model.ts'
import type { Relationships } from './package.ts'
import { pictureOf } from './picture.ts'
import { type Style, type Styles, setting, toggle } from './styles.ts'
import { symbolOf } from './symbols.ts'

/** What the reader of runs needs from the surrounding document. */
export interface Surroundings {
  styles: Styles
  relationships: Relationships
  /** Whether the whole text is set in a font for code. */
  isMonospaced: boolean
  /** Called for a text box beside the paragraph. */
  onTextBox(content: XmlElement): void
  /** Called for a chart or diagram whose data is in the given part. @returns whether anything could be read */
  onData(kind: 'chart' | 'diagram', part: string): boolean
  /** Called for a DrawingML object that is not a picture. */
  onLostObject(): void
  /** Whether comments are read. */
  hasComments: boolean
}

const MONOSPACED = /courier|consolas|mono|menlo|monaco|lucida console|fira code|source code/i
export const isMonospacedFont = (font: string | undefined): boolean =>
  font !== undefined && MONOSPACED.test(font)

const CODE_STYLE = /code|verbatim|html (?:keyboard|sample|typewriter)/

interface Field {
  instruction: string
  isResult: boolean
  /** Index in the content at which its result begins. */
  start: number
  /** The value entered in a form field that has no result. */
  entered: string
}

/** Reads an element into content, given what it inherits. */
type Read<Given> = (element: XmlElement, given: Given, out: Inline[]) => void

/** Reads the content of paragraphs: ECMA-376 part 1, 17.3. */
export class InlineReader {
  readonly #around: Surroundings
  /** Open fields, which can span several paragraphs. */
  readonly #fields: Field[] = []

  constructor(around: Surroundings) {
    this.#around = around
  }

  read(paragraph: XmlElement, style: Style): Inline[] {
    for (const field of this.#fields) field.start = 0
    const content: Inline[] = []
    this.#children(paragraph, style, content)
    // A link that continues in the next paragraph is wrapped in each of them.
    for (const field of this.#fields.toReversed()) if (field.isResult) wrapField(field, content)
    return content
  }

  #children(element: XmlElement, style: Style, out: Inline[]): void {
    for (const child of elementsOf(element)) this.#element(child, style, out)
  }

  #element(element: XmlElement, style: Style, out: Inline[]): void {
    ownValue(this.#elements, element.name)?.(element, style, out)
  }

  #inner(element: XmlElement, style: Style): Inline[] {
    const content: Inline[] = []
    this.#children(element, style, content)
    return content
  }

  readonly #only: Read<Style> = (element, style, out) => this.#children(element, style, out)

  readonly #elements: Record<string, Read<Style>> = {
    'w:r': (run, style, out) => this.#run(run, style, out),
    'w:hyperlink': (element, style, out) => {
      const { 'r:id': id = '', 'w:anchor': anchor } = element.attributes
      const target = this.#around.relationships.get(id)
      out.push(...linked(target?.target ?? '', anchor, this.#inner(element, style)))
    },
    'w:fldSimple': (element, style, out) => {
      out.push(...fieldContent(element.attributes['w:instr'] ?? '', this.#inner(element, style)))
    },
    'w:ins': this.#only,
    'w:moveTo': this.#only,
    'w:smartTag': this.#only,
    'w:customXml': this.#only,
    'w:bdo': this.#only,
    'w:dir': this.#only,
    'w:sdt': (element, style, out) => {
      const content = childOf(element, 'w:sdtContent')
      if (content) this.#children(content, style, out)
    },
    'w:bookmarkStart': ({ attributes: { 'w:name': name } }, _, out) => {
      if (name && name !== '_GoBack') out.push({ kind: 'anchor', name })
    },
    'm:oMath': (element, _, out) => {
      out.push({ kind: 'equation', formula: readOmml(element), display: false })
    },
    'm:oMathPara': (element, _, out) => {
      for (const formula of childrenOf(element, 'm:oMath'))
        out.push({ kind: 'equation', formula: readOmml(formula), display: true })
    },
    'mc:AlternateContent': (element, style, out) =>
      this.#alternate(element, branch => this.#children(branch, style, out)),
  }

  #run(run: XmlElement, style: Style, out: Inline[]): void {
    const marks = this.#marks(childOf(run, 'w:rPr'), style)
    if (!marks) return
    for (const child of elementsOf(run)) this.#runElement(child, marks, out)
  }

  /** The formatting of a run; undefined for hidden text. */
  #marks(own: XmlElement | undefined, style: Style): Marks | undefined {
    const character = this.#around.styles.get(setting([own], 'w:rStyle'))
    const direct = [own, ...character.run]
    const all = [...direct, ...style.run]
    if (toggle(direct, 'w:vanish')) return undefined
    const vertical = setting(all, 'w:vertAlign')
    const font = setting(all, 'w:rFonts', 'w:ascii')
    const isCode = CODE_STYLE.test(character.name) || (!this.#around.isMonospaced && isMonospacedFont(font))
    return {
      ...(toggle(all, 'w:b') && { bold: true }),
      ...(toggle(all, 'w:i') && { italic: true }),
      ...((toggle(all, 'w:strike') || toggle(all, 'w:dstrike')) && { strike: true }),
      ...(toggle(direct, 'w:u') && character.name !== 'hyperlink' && { underline: true }),
      ...(vertical === 'superscript' && { superscript: true }),
      ...(vertical === 'subscript' && { subscript: true }),
      ...(toggle(all, 'w:smallCaps') && { smallCaps: true }),
      ...(isCode && { code: true }),
    }
  }

  #runElement(element: XmlElement, marks: Marks, out: Inline[]): void {
    const { name } = element
    const field = this.#fields.at(-1)
    if (name === 'w:fldChar') this.#fieldMark(element, out)
    else if (name === 'w:instrText') {
      if (field) field.instruction += textOf(element)
    }
    // Only the result of a field is shown.
    else if (!field || field.isResult) ownValue(this.#runElements, name)?.(element, marks, out)
  }

  /** Adds text to a run; content before a field is not part of its result. */
  #text(text: string, marks: Marks, out: Inline[]): void {
    addText(out, text, marks, this.#fields.at(-1)?.start ?? 0)
  }

  readonly #drawn: Read<Marks> = (element, _, out) => this.#drawing(element, out)

  readonly #runElements: Record<string, Read<Marks>> = {
    'w:t': (element, marks, out) => this.#text(textOf(element), marks, out),
    'w:tab': (_, marks, out) => this.#text('\t', marks, out),
    'w:ptab': (_, marks, out) => this.#text('\t', marks, out),
    'w:noBreakHyphen': (_, marks, out) => this.#text('\u2011', marks, out),
    'w:softHyphen': (_, marks, out) => this.#text('\u00ad', marks, out),
    'w:br': ({ attributes: { 'w:type': type } }, _, out) => {
      if (type !== 'page' && type !== 'column') out.push({ kind: 'break' })
    },
    'w:cr': (_element, _marks, out) => void out.push({ kind: 'break' }),
    'w:sym': ({ attributes: { 'w:font': font = '', 'w:char': code = '' } }, marks, out) =>
      this.#text(symbolOf(font, code), marks, out),
    'w:footnoteReference': (element, _, out) => void out.push(noteOf(element, 'f')),
    'w:endnoteReference': (element, _, out) => void out.push(noteOf(element, 'e')),
    'w:commentReference': (element, _, out) => {
      if (this.#around.hasComments) out.push(noteOf(element, 'c'))
    },
    'w:ruby': (element, marks, out) => this.#ruby(element, marks, out),
    'w:drawing': this.#drawn,
    'w:pict': this.#drawn,
    'w:object': this.#drawn,
    'mc:AlternateContent': (element, marks, out) =>
      this.#alternate(element, branch => {
        for (const child of elementsOf(branch)) this.#runElement(child, marks, out)
      }),
  }

  #fieldMark(mark: XmlElement, out: Inline[]): void {
    const type = mark.attributes['w:fldCharType']
    if (type === 'begin') {
      const entered = enteredIn(childOf(mark, 'w:ffData'))
      this.#fields.push({ instruction: '', isResult: false, start: out.length, entered })
    } else if (type === 'separate') {
      const field = this.#fields.at(-1)
      if (field) Object.assign(field, { isResult: true, start: out.length })
    } else if (type === 'end') {
      const field = this.#fields.pop()
      if (field?.isResult) wrapField(field, out)
      else if (field) addText(out, field.entered, {}, field.start)
    }
  }

  /** Text with its reading: ECMA-376 part 1, 17.3.3.25. */
  #ruby(element: XmlElement, marks: Marks, out: Inline[]): void {
    const text = (name: string) => textOf(childOf(element, name))
    out.push({ kind: 'ruby', base: [run(text('w:rubyBase'), marks)], reading: text('w:rt') })
  }

  #drawing(element: XmlElement, out: Inline[]): void {
    let found = false
    const visit = (node: XmlElement) => {
      if (node.name === 'w:txbxContent') {
        found = true
        this.#around.onTextBox(node)
      } else if (node.name === 'mc:AlternateContent') this.#alternate(node, visitAll)
      else if (node.name === 'c:chart') found = this.#data('chart', node.attributes['r:id']) || found
      else if (node.name === 'dgm:relIds') found = this.#data('diagram', node.attributes['r:dm']) || found
      else if (node.name === 'a:blip' || node.name === 'v:imagedata') {
        const picture = this.#picture(node, element)
        if (picture) {
          found = true
          out.push(picture)
        }
      } else if (node.name === 'v:textpath' && node.attributes.string) {
        found = true
        addText(out, node.attributes.string, {})
      } else visitAll(node)
    }
    const visitAll = (node: XmlElement) => {
      for (const child of elementsOf(node)) visit(child)
    }
    visitAll(element)
    if (
      !found &&
      /chart|diagram|dgm|OLEObject/.test(findIn(element, 'a:graphicData')?.attributes.uri ?? '')
    ) {
      this.#around.onLostObject()
    }
  }

  #data(kind: 'chart' | 'diagram', id: string | undefined): boolean {
    const target = this.#around.relationships.get(id ?? '')
    return target !== undefined && !target.isExternal && this.#around.onData(kind, target.target)
  }

  #picture(node: XmlElement, drawing: XmlElement): Inline | undefined {
    const use = pictureOf(node, drawing, this.#around.relationships)
    if (!use) return undefined
    const picture: Inline = { kind: 'picture', picture: use }
    const link =
      findIn(drawing, 'wp:docPr') && findIn(findIn(drawing, 'wp:docPr'), 'a:hlinkClick')?.attributes['r:id']
    const address = link ? this.#around.relationships.get(link)?.target : undefined
    return address ? (linked(address, undefined, [picture])[0] ?? picture) : picture
  }

  /** Uses the branch for newer programs if it contains something that can be read, otherwise the one for older programs. */
  #alternate(element: XmlElement, use: (branch: XmlElement) => void): void {
    const choice = childOf(element, 'mc:Choice')
    const isKnown = (node: XmlElement | undefined) =>
      ['a:blip', 'w:txbxContent', 'm:oMath', 'w:t', 'c:chart', 'dgm:relIds'].some(name => findIn(node, name))
    const fallback = childOf(element, 'mc:Fallback')
    const branch = isKnown(choice) ? choice : (fallback ?? choice)
    if (branch) use(branch)
  }
}

const noteOf = ({ attributes }: XmlElement, part: string): Inline => ({
  kind: 'note',
  key: `${part}${attributes['w:id'] ?? ''}`,
})

/** The selected entry of a list, or the state of a check box: ECMA-376 part 1, 17.16.17. */
function enteredIn(data: XmlElement | undefined): string {
  const [list, box] = [childOf(data, 'w:ddList'), childOf(data, 'w:checkBox')]
  if (box) return toggle([box], childOf(box, 'w:checked') ? 'w:checked' : 'w:default') ? '☒' : '☐'
  const chosen = setting([list], 'w:result') ?? setting([list], 'w:default') ?? '0'
  return childrenOf(list, 'w:listEntry')[Number(chosen)]?.attributes['w:val'] ?? ''
}

function wrapField(field: Field, content: Inline[]): void {
  const result = content.splice(field.start)
  content.push(...fieldContent(field.instruction, result))
}

/** The result of a field, as a link if the field is a `HYPERLINK`: ECMA-376 part 1, 17.16.5.25. */
function fieldContent(instruction: string, content: Inline[]): Inline[] {
  const words = [...instruction.matchAll(/"([^"]*)"|(\S+)/g)].map(match => match[1] ?? match[2] ?? '')
  const [name, ...rest] = words
  if (name?.toUpperCase() === 'HYPERLINK') {
    const at = rest.indexOf('\\l')
    const anchor = at >= 0 ? rest[at + 1] : undefined
    const address = rest[0] && !rest[0].startsWith('\\') ? rest[0] : ''
    return linked(address, anchor, content)
  }
  if (/^(?:REF|PAGEREF|NOTEREF)$/i.test(name ?? '') && rest.includes('\\h') && rest[0])
    return linked('', rest[0], content)
  return content
}

function linked(address: string, anchor: string | undefined, content: Inline[]): Inline[] {
  // Links cannot be nested.
  if (content.some(part => part.kind === 'link' || part.kind === 'reference')) return content
  if (/^(?:https?|ftp|mailto|tel):/i.test(address)) {
    return [{ kind: 'link', address: anchor ? `${address}#${anchor}` : address, content }]
  }
  return address === '' && anchor ? [{ kind: 'reference', anchor, content }] : content
}
