/**
 * Enforces content models (https://html.spec.whatwg.org/multipage/dom.html#content-models): books made from tag soup have
 * anchors between list items, and blocks within inline elements. No visible content is lost.
 */
import { blockElements } from '../../../../common/html-elements.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { filterAttributes } from './attributes.ts'
import { addStyle } from './presentation.ts'

const words = (text: string) => new Set(text.split(' '))

/** Elements that may contain only inline content, with their style if they become a `div`. */
const LINES = new Map(
  Object.entries({
    '': 'p span q abbr mark time bdi bdo',
    'font-weight: bold': 'b strong h4',
    'font-style: italic': 'i em cite dfn var',
    'text-decoration: underline': 'u',
    'text-decoration: line-through': 's',
    'font-size: smaller': 'small sub sup',
    'font-family: monospace': 'code kbd samp',
    'white-space: pre-wrap; font-family: monospace': 'pre',
    'font-weight: bold; font-size: 2em': 'h1',
    'font-weight: bold; font-size: 1.5em': 'h2',
    'font-weight: bold; font-size: 1.17em': 'h3',
    'font-weight: bold; font-size: 0.83em': 'h5',
    'font-weight: bold; font-size: 0.67em': 'h6',
  }).flatMap(([style, names]) => names.split(' ').map((name): [string, string] => [name, style])),
)

const isElement = (child: XmlElement | string): child is XmlElement => typeof child === 'object'
const isBlank = (child: XmlElement | string) => typeof child === 'string' && child.trim() === ''

/** Whether a child is only an empty anchor. */
const isAnchor = (child: XmlElement | string) =>
  isElement(child) && (child.name === 'a' || child.name === 'span') && child.children.every(isBlank)

/** Repairs an element and its children. @returns whether it contains a block */
export function repairStructure(element: XmlElement, inLink: boolean): boolean {
  if (element.attributes.xmlns !== undefined && element.name !== 'html') return false
  if (element.name === 'a' && inLink) {
    element.name = 'span'
    filterAttributes(element)
  }
  const isWithin = inLink || (element.name === 'a' && element.attributes.href !== undefined)
  let holdsBlock = false
  for (const child of element.children) {
    if (isElement(child) && repairStructure(child, isWithin)) holdsBlock = true
  }
  keepStructure(element)
  if (!holdsBlock)
    holdsBlock = element.children.some(child => isElement(child) && blockElements.has(child.name))
  const look = LINES.get(element.name)
  if (holdsBlock && look !== undefined) {
    element.name = 'div'
    addStyle(element, look)
  }
  return holdsBlock || blockElements.has(element.name)
}

/** Removes item numbers, which only ordered lists may have. */
function dropNumbers(list: XmlElement): void {
  for (const child of list.children) if (isElement(child)) delete child.attributes.value
}

const ROWS = { items: ['tr'], wrapper: 'tr' }
const LIST = { items: ['li'], wrapper: 'li' }

/** What lists and tables consist of, and what anything else in them is put into. */
const PARTS: Readonly<Record<string, { items: readonly string[]; wrapper: string }>> = {
  ...{ ul: LIST, ol: LIST, dl: { items: ['dt', 'dd', 'div'], wrapper: 'dd' } },
  ...{ thead: ROWS, tbody: ROWS, tfoot: ROWS, tr: { items: ['td', 'th'], wrapper: 'td' } },
  table: { items: ['caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'tr'], wrapper: 'tr' },
}

/** Ensures that lists and tables contain only their own parts, and that these occur nowhere else. */
function keepStructure(element: XmlElement): void {
  const { name } = element
  if (name === 'table')
    element.children = element.children.map(child =>
      isElement(child) && child.name === 'col'
        ? { name: 'colgroup', attributes: {}, children: [child] }
        : child,
    )
  if (PARTS[name]) keepItems(element, PARTS[name])
  else adoptItems(element)
  if (name === 'ul') dropNumbers(element)
}

/** Leaves only items in a list or table: anchors are moved into the next item, everything else into new items. */
function keepItems(list: XmlElement, { items, wrapper }: (typeof PARTS)[string]): void {
  if (list.children.every(child => isBlank(child) || (isElement(child) && items.includes(child.name)))) return
  const kept: (XmlElement | string)[] = []
  const anchors: (XmlElement | string)[] = []
  const added = (attributes: XmlElement['attributes'] = {}) => {
    const item: XmlElement = { name: wrapper, attributes, children: [] }
    kept.push(item)
    return item
  }
  let open: XmlElement | undefined
  for (const child of list.children) {
    if (isElement(child) && items.includes(child.name)) {
      child.children.unshift(...anchors.splice(0))
      open = undefined
      kept.push(child)
    } else if (isAnchor(child)) anchors.push(child)
    else if (isBlank(child)) (open?.children ?? kept).push(child)
    else {
      const before = kept.findLast(isElement)
      // A list directly within a list belongs to the previous item.
      const isList = isElement(child) && (child.name === 'ul' || child.name === 'ol')
      if (isList && before?.name === 'li') open = before
      open ??= added(isList ? { style: 'list-style-type: none' } : {})
      open.children.push(...anchors.splice(0), child)
    }
  }
  if (anchors.length > 0) (kept.findLast(isElement) ?? added()).children.push(...anchors)
  list.children = kept
  // What a row was given goes into its cells.
  for (const child of kept) if (isElement(child)) keepStructure(child)
}

const ITEMS = words('li dt dd tr td th thead tbody tfoot caption')

/** Turns items outside lists and tables into plain blocks. */
function adoptItems(element: XmlElement): void {
  for (const child of element.children) {
    if (!isElement(child) || !ITEMS.has(child.name)) continue
    if (/^d[dt]$/.test(child.name) && element.name === 'div') continue
    delete child.attributes.value
    child.name = 'div'
    adoptItems(child)
  }
}
