import type { Block } from '../../model.ts'
import type { ListLevel, ListPlace } from './numbering.ts'

/** A paragraph as read from the document, before lists, quotes and code blocks are assembled. */
export type ReadParagraph =
  | { kind: 'block'; block: Block; indent: number }
  /** An item of a list, and whether it is a paragraph with space around it. */
  | { kind: 'item'; block: Block; place: Place; indent: number; isLoose?: boolean }
  | { kind: 'quote'; block: Block }
  | { kind: 'code'; text: string }
  /** An empty paragraph. */
  | { kind: 'gap' }

type Place = Pick<ListPlace, 'level' | 'number'> & { info: Pick<ListLevel, 'ordered' | 'format'> }

type List = Extract<Block, { kind: 'list' }>

interface OpenList {
  list: List
  level: number
  lastNumber: number
  /** Indent of its text, in twentieths of a point. */
  indent: number
}

/** Assembles paragraphs into lists, quotes and code blocks. */
export function assemble(entries: readonly ReadParagraph[]): Block[] {
  const out: Block[] = []
  let open: OpenList[] = []
  for (const [at, entry] of entries.entries()) {
    switch (entry.kind) {
      case 'item':
        open = addItem(entry, open, out)
        break
      case 'gap':
        // An empty line within code belongs to it.
        if (entries[at - 1]?.kind === 'code' && entries[at + 1]?.kind === 'code') addCode('', out)
        break
      case 'code':
        open = []
        addCode(entry.text, out)
        break
      case 'quote': {
        open = []
        const last = out.at(-1)
        if (last?.kind === 'quote' && entries[at - 1]?.kind === 'quote') last.blocks.push(entry.block)
        else out.push({ kind: 'quote', blocks: [entry.block] })
        break
      }
      case 'block': {
        const list = open.findLast(({ indent }) => indent > 0 && entry.indent >= indent - 40)
        if (list && entry.block.kind === 'paragraph') {
          // A paragraph with the indent of an item continues that item.
          open = open.slice(0, open.indexOf(list) + 1)
          list.list.items.at(-1)?.push(entry.block)
        } else {
          open = []
          out.push(entry.block)
        }
      }
    }
  }
  return out
}

function addItem(
  { block, place, indent, isLoose = false }: Extract<ReadParagraph, { kind: 'item' }>,
  open: OpenList[],
  out: Block[],
): OpenList[] {
  const { level, number, info } = place
  const rest = open.filter(({ level: other }) => other <= level)
  const same = rest.at(-1)
  if (same?.level === level) {
    const continues =
      same.list.ordered === info.ordered &&
      (!info.ordered || (number === same.lastNumber + 1 && same.list.format === info.format))
    if (continues) {
      same.list.items.push([block])
      same.list.isLoose ||= isLoose
      same.lastNumber = number
      return rest
    }
    rest.pop()
  }
  const list: List = {
    kind: 'list',
    ordered: info.ordered,
    start: number,
    format: info.format,
    isLoose,
    items: [[block]],
  }
  const parent = rest.at(-1)?.list.items.at(-1)
  if (parent) parent.push(list)
  else out.push(list)
  return [...rest, { list, level, lastNumber: number, indent }]
}

function addCode(text: string, out: Block[]): void {
  const last = out.at(-1)
  if (last?.kind === 'code') last.text += `\n${text}`
  else out.push({ kind: 'code', text })
}
