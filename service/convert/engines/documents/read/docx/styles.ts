import { childOf, childrenOf, type XmlElement } from '../../../common/xml/element.ts'

export interface Style {
  /** In lower case; built-in styles have English names in every language. */
  name: string
  /** Properties of its paragraphs and runs: its own first, then those of the styles on which it is based. */
  paragraph: XmlElement[]
  run: XmlElement[]
}

const NONE: Style = { name: '', paragraph: [], run: [] }

/** The styles of a document by their id. */
export class Styles {
  readonly #styles = new Map<string, Style>()
  readonly defaultParagraph: string
  /** Properties of all runs. */
  readonly defaultRun: XmlElement | undefined

  constructor(root: XmlElement | undefined) {
    const elements = new Map(
      childrenOf(root, 'w:style').map(element => [element.attributes['w:styleId'] ?? '', element]),
    )
    for (const id of elements.keys()) this.#styles.set(id, styleOf(id, elements))
    const isDefault = (element: XmlElement) =>
      element.attributes['w:type'] === 'paragraph' && isOn(element.attributes['w:default'] ?? 'false')
    this.defaultParagraph = [...elements].find(([, element]) => isDefault(element))?.[0] ?? ''
    this.defaultRun = childOf(childOf(childOf(root, 'w:docDefaults'), 'w:rPrDefault'), 'w:rPr')
  }

  get(id: string | undefined): Style {
    return this.#styles.get(id ?? '') ?? { ...NONE, name: (id ?? '').toLowerCase() }
  }
}

function styleOf(id: string, elements: Map<string, XmlElement>): Style {
  const style: Style = { name: '', paragraph: [], run: [] }
  const seen = new Set<string>()
  for (let next: string | undefined = id; next && !seen.has(next); ) {
    seen.add(next)
    const element = elements.get(next)
    if (!element) break
    style.name ||= (value(element, 'w:name') ?? next).toLowerCase()
    const paragraph = childOf(element, 'w:pPr')
    const run = childOf(element, 'w:rPr')
    if (paragraph) style.paragraph.push(paragraph)
    if (run) style.run.push(run)
    next = value(element, 'w:basedOn')
  }
  return style
}

export const isOn = (value: string | undefined): boolean =>
  value === undefined || !/^(?:0|false|off|none)$/.test(value)

/** A toggle such as `w:b`, from the first of the properties that has it. */
export function toggle(properties: readonly (XmlElement | undefined)[], name: string): boolean {
  for (const property of properties) {
    const element = childOf(property, name)
    if (element) return isOn(element.attributes['w:val'])
  }
  return false
}

/** An attribute of a property, from the first of the properties that has it. */
export function setting(
  properties: readonly (XmlElement | undefined)[],
  name: string,
  attribute = 'w:val',
): string | undefined {
  for (const property of properties) {
    const value = childOf(property, name)?.attributes[attribute]
    if (value !== undefined) return value
  }
  return undefined
}

/** The value of a child of that name. */
export const value = (element: XmlElement | undefined, name: string): string | undefined =>
  childOf(element, name)?.attributes['w:val']
