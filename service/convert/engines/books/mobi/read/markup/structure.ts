/**
 * Enforces content models (https://html.spec.whatwg.org/multipage/dom.html#content-models): books made from tag soup have
 * anchors between list items, and blocks within inline elements. No visible content is lost.
 */
import { blockElements } from '../../../../common/html-elements.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { filterAttributes } from './attributes.ts'
import { addStyle } from './presentation.ts'

const words = (text: string) => new Set(text.split(' '))

/** What elements share, by the name of each. */
function byName(shared: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(shared).flatMap(([value, names]) =>
      names.split(' ').map((name): [string, string] => [name, value]),
    ),
  )
}

/** Elements that may contain only inline content, with their style if they become a `div`. */
const LINES = byName({
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
})

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
    addStyle(element, look, 'before')
  }
  return holdsBlock || blockElements.has(element.name)
}

/** Removes item numbers, which only ordered lists may have. */
function dropNumbers(list: XmlElement): void {
  for (const child of list.children) if (isElement(child)) delete child.attributes.value
}

/** Ensures that lists and tables contain only their own parts, and that these occur nowhere else. */
function keepStructure(element: XmlElement): void {
  const { name } = element
  if (name === 'ul' || name === 'ol') keepItems(element, ['li'], 'li')
  else if (name === 'dl') keepItems(element, ['dt', 'dd', 'div'], 'dd')
  else if (name === 'tr') keepItems(element, ['td', 'th'], 'td')
  else if (TABLES.has(name)) keepRows(element)
  else adoptItems(element)
  if (name === 'ul') dropNumbers(element)
}

const TABLES = words('table thead tbody tfoot')

/** Leaves only items in a list: anchors are moved into the next item, everything else into new items. */
function keepItems(list: XmlElement, items: readonly string[], wrapper: string): void {
  if (list.children.every(child => isBlank(child) || (isElement(child) && items.includes(child.name)))) return
  const kept: (XmlElement | string)[] = []
  let anchors: (XmlElement | string)[] = []
  const previous = () => kept.findLast(isElement)
  let open: XmlElement | undefined
  for (const child of list.children) {
    if (isElement(child) && items.includes(child.name)) {
      child.children.unshift(...anchors)
      anchors = []
      open = undefined
      kept.push(child)
    } else if (isAnchor(child)) anchors.push(child)
    else if (isBlank(child)) (open?.children ?? kept).push(child)
    else {
      const before = previous()
      // A list directly within a list belongs to the previous item.
      const isList = isElement(child) && (child.name === 'ul' || child.name === 'ol')
      if (isList && before?.name === 'li') open = before
      if (!open) {
        open = { name: wrapper, attributes: isList ? { style: 'list-style-type: none' } : {}, children: [] }
        kept.push(open)
      }
      open.children.push(...anchors, child)
      anchors = []
    }
  }
  const last = previous()
  if (last) last.children.push(...anchors)
  else if (anchors.length > 0) kept.push({ name: wrapper, attributes: {}, children: anchors })
  list.children = kept
}

/** Moves content between rows into the next cell; content that no cell follows gets a row of its own. */
function keepRows(table: XmlElement): void {
  const parts = table.name === 'table' ? ['caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'tr'] : ['tr']
  const kept: (XmlElement | string)[] = []
  let loose: (XmlElement | string)[] = []
  for (const child of table.children) {
    if (isElement(child) && table.name === 'table' && child.name === 'col') {
      const before = kept.findLast(isElement)
      if (before?.name === 'colgroup') before.children.push(child)
      else kept.push({ name: 'colgroup', attributes: {}, children: [child] })
    } else if (isElement(child) && parts.includes(child.name)) {
      const cell = loose.length > 0 ? firstCell(child) : undefined
      if (cell) {
        cell.children.unshift(...loose)
        loose = []
      }
      kept.push(child)
    } else if (isBlank(child)) kept.push(child)
    else if (isElement(child) && (child.name === 'td' || child.name === 'th'))
      kept.push({ name: 'tr', attributes: {}, children: [child] })
    else loose.push(child)
  }
  if (loose.length > 0) {
    const cell: XmlElement = { name: 'td', attributes: {}, children: loose }
    kept.push({ name: 'tr', attributes: {}, children: [cell] })
  }
  table.children = kept
}

function firstCell(element: XmlElement): XmlElement | undefined {
  if (element.name === 'td' || element.name === 'th' || element.name === 'caption') return element
  for (const child of element.children) {
    const found = isElement(child) ? firstCell(child) : undefined
    if (found) return found
  }
  return undefined
}

const PARENTS = byName({ ul: 'li', dl: 'dt dd', tr: 'td th', table: 'tr tbody thead tfoot caption' })

/** Turns items outside lists into plain blocks. */
function adoptItems(element: XmlElement): void {
  for (const child of element.children) {
    if (!isElement(child)) continue
    const parent = PARENTS.get(child.name)
    if (parent === undefined) continue
    if (parent === 'dl' && element.name === 'div') continue
    delete child.attributes.value
    if (parent !== 'table' || child.name === 'caption') child.name = 'div'
    else {
      const inner = { ...child }
      child.name = 'table'
      child.attributes = {}
      child.children = [inner]
    }
  }
}
