/** Determines which layers of a PDF are visible when it is opened; ISO 32000-1, 8.11. */
import {
  PDFArray,
  type PDFContext,
  type PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
} from '@cantoo/pdf-lib'
import {
  allDicts,
  arrayEntry,
  dictEntry,
  dictOf,
  follow,
  items,
  listed,
  name,
  nameEntry,
} from '../pdfa/objects.ts'

const DEPTH_LIMIT = 32

/** Whether content of a group or a membership dictionary is visible. */
export type Shows = (group: PDFObject | undefined) => boolean

/** The layers that are visible; undefined if all are. */
export function shownLayers(document: PDFDocument): Shows | undefined {
  const { catalog, context } = document
  const properties = dictEntry(catalog, 'OCProperties')
  const standard = dictEntry(properties, 'D')
  if (!properties || !standard) return undefined
  const groupsOf = (dict: PDFDict, key: string) =>
    [...items(context, arrayEntry(dict, key))].flatMap(group => dictOf(group) ?? [])
  const off = new Set<PDFDict>()
  if (nameEntry(standard, 'BaseState') === 'OFF')
    for (const group of groupsOf(properties, 'OCGs')) off.add(group)
  for (const group of groupsOf(standard, 'ON')) off.delete(group)
  for (const group of groupsOf(standard, 'OFF')) off.add(group)
  for (const use of items(context, arrayEntry(standard, 'AS'))) {
    const usage = dictOf(use)
    if (!usage || nameEntry(usage, 'Event') !== 'View') continue
    const isOfView = [...items(context, arrayEntry(usage, 'Category'))].some(
      category => category instanceof PDFName && category.decodeText() === 'View',
    )
    for (const group of isOfView ? groupsOf(usage, 'OCGs') : []) {
      const state = nameEntry(group, 'Usage', 'View', 'ViewState')
      if (state === 'OFF') off.add(group)
      else if (state === 'ON') off.delete(group)
    }
  }
  for (const group of off) if (!isForViewing(group)) off.delete(group)
  // Membership dictionaries can hide content because a layer is on.
  const depends = allDicts(document).some(({ dict }) => nameEntry(dict, 'Type') === 'OCMD')
  return off.size > 0 || depends ? object => isShown(dictOf(object), off, 0) : undefined
}

/** Whether a layer is meant for viewing; layers for designers do not affect visibility. */
function isForViewing(group: PDFDict): boolean {
  const intents = listed(group, 'Intent').map(each => follow(group.context, each))
  return (
    intents.length === 0 ||
    intents.some(each => each instanceof PDFName && /^(View|All)$/.test(each.decodeText()))
  )
}

function isShown(group: PDFDict | undefined, off: ReadonlySet<PDFDict>, depth: number): boolean {
  if (!group || depth > DEPTH_LIMIT) return true
  if (nameEntry(group, 'Type') !== 'OCMD') return !off.has(group)
  const { context } = group
  const expression = arrayEntry(group, 'VE')
  if (expression) return holds(context, expression, off, depth + 1)
  const groups = listed(group, 'OCGs').flatMap(each => dictOf(follow(context, each)) ?? [])
  if (groups.length === 0) return true
  const rule = nameEntry(group, 'P') ?? ''
  const isWanted = (each: PDFDict) => off.has(each) === rule.endsWith('Off')
  return rule.startsWith('All') ? groups.every(isWanted) : groups.some(isWanted)
}

/** The value of a visibility expression, such as `[/And group [/Not group]]`. */
function holds(context: PDFContext, expression: PDFArray, off: ReadonlySet<PDFDict>, depth: number): boolean {
  if (depth > DEPTH_LIMIT) return true
  const [operator, ...operands] = items(context, expression)
  const isTrue = (operand: PDFObject | undefined) =>
    operand instanceof PDFArray
      ? holds(context, operand, off, depth + 1)
      : isShown(dictOf(operand), off, depth + 1)
  if (operator === name('Or')) return operands.some(isTrue)
  if (operator === name('Not')) return !isTrue(operands[0])
  return operator !== name('And') || operands.every(isTrue)
}
