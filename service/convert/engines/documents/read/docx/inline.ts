import {
  childOf,
  childrenOf,
  elementsOf,
  findIn,
  textOf,
  type XmlElement,
} from '../../../common/xml/element.ts'
import { readOmml } from '../../maths/read-omml.ts'
import { addText, type Inline, type Marks, run } from '../../model.ts'
import type { Relationship } from './package.ts'
import { pictureOf } from './picture.ts'
import { type Style, type Styles, setting, toggle } from './styles.ts'
import { symbolOf } from './symbols.ts'

/** What the reader of runs needs from the surrounding document. */
export interface Surroundings {
  styles: Styles
  relationships: ReadonlyMap<string, Relationship>
  /** Whether the whole text is set in a font for code. */
  isMonospaced: boolean
  /** Called for a text box beside the paragraph. */
  onTextBox(content: XmlElement): void
  /** Called for a chart or diagram whose data is in the given part. @returns whether anything could be read */
  onData(kind: 'chart' | 'diagram', part: string): boolean
  /** Called for a drawing that is not a picture. */
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
    const { name, attributes } = element
    switch (name) {
      case 'w:r':
        this.#run(element, style, out)
        break
      case 'w:hyperlink': {
        const content: Inline[] = []
        this.#children(element, style, content)
        const target = this.#around.relationships.get(attributes['r:id'] ?? '')
        out.push(...linked(target?.target ?? '', attributes['w:anchor'], content))
        break
      }
      case 'w:fldSimple': {
        const content: Inline[] = []
        this.#children(element, style, content)
        out.push(...fieldContent(attributes['w:instr'] ?? '', content))
        break
      }
      case 'w:ins':
      case 'w:moveTo':
      case 'w:smartTag':
      case 'w:customXml':
      case 'w:bdo':
      case 'w:dir':
        this.#children(element, style, out)
        break
      case 'w:sdt': {
        const content = childOf(element, 'w:sdtContent')
        if (content) this.#children(content, style, out)
        break
      }
      case 'w:bookmarkStart':
        if (attributes['w:name'] && attributes['w:name'] !== '_GoBack')
          out.push({ kind: 'anchor', name: attributes['w:name'] })
        break
      case 'm:oMath':
        out.push({ kind: 'maths', formula: readOmml(element), display: false })
        break
      case 'm:oMathPara':
        for (const formula of childrenOf(element, 'm:oMath'))
          out.push({ kind: 'maths', formula: readOmml(formula), display: true })
        break
      case 'mc:AlternateContent':
        this.#alternate(element, branch => this.#children(branch, style, out))
        break
    }
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
    const { name, attributes } = element
    const field = this.#fields.at(-1)
    if (name === 'w:fldChar') {
      this.#fieldMark(element, out)
      return
    }
    // Content before a field is not part of its result.
    const from = field?.start ?? 0
    if (name === 'w:instrText') {
      if (field) field.instruction += textOf(element)
      return
    }
    // Only the result of a field is shown.
    if (field && !field.isResult) return
    switch (name) {
      case 'w:t':
        addText(out, textOf(element), marks, from)
        break
      case 'w:tab':
      case 'w:ptab':
        addText(out, '\t', marks, from)
        break
      case 'w:noBreakHyphen':
        addText(out, '\u2011', marks, from)
        break
      case 'w:softHyphen':
        addText(out, '\u00ad', marks, from)
        break
      case 'w:br':
        if (attributes['w:type'] !== 'page' && attributes['w:type'] !== 'column') out.push({ kind: 'break' })
        break
      case 'w:cr':
        out.push({ kind: 'break' })
        break
      case 'w:sym':
        addText(out, symbolOf(attributes['w:font'] ?? '', attributes['w:char'] ?? ''), marks, from)
        break
      case 'w:footnoteReference':
        out.push({ kind: 'note', key: `f${attributes['w:id'] ?? ''}` })
        break
      case 'w:endnoteReference':
        out.push({ kind: 'note', key: `e${attributes['w:id'] ?? ''}` })
        break
      case 'w:commentReference':
        if (this.#around.hasComments) out.push({ kind: 'note', key: `c${attributes['w:id'] ?? ''}` })
        break
      case 'w:ruby':
        this.#ruby(element, marks, out)
        break
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        this.#drawing(element, out)
        break
      case 'mc:AlternateContent':
        this.#alternate(element, branch => {
          for (const child of elementsOf(branch)) this.#runElement(child, marks, out)
        })
        break
    }
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
