/** The structure of a tagged PDF, as poppler reads it. */
import { tool } from './fixtures/media.ts'

/** A block with its own text, without that of the blocks in it. */
export interface PdfBlock {
  tag: string
  text: string
}

const BLOCK = /^(?:P|H\d|TD|TH|Caption|LBody|BlockQuote|Lbl)$/

/** The blocks of a tagged PDF that have text, in order; code is one block, and labels of items and notes are left out. */
export function pdfBlocks(path: string): PdfBlock[] {
  const blocks: PdfBlock[] = []
  const open: { depth: number; tag: string; block: PdfBlock | undefined }[] = []
  for (const line of tool('pdfinfo', '-struct-text', path).split('\n')) {
    const depth = line.search(/\S/)
    while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop()
    const outer = open.at(-1)
    const tag = /^([A-Z][A-Za-z\d]*)(?: ".*")?(?: <.*>)?(?: \(\w+\))?:?$/.exec(line.trim())?.[1]
    const words = /^"(.*)"$/.exec(line.trim())?.[1]
    if (tag) {
      const isLine = outer?.tag === 'Code' && BLOCK.test(tag)
      const own = isLine ? { tag: 'Code', text: '' } : { tag, text: '' }
      const block = BLOCK.test(tag) && !(isLine && outer.block) ? own : outer?.block
      if (block === own) blocks.push(own)
      else if (isLine && block) block.text += '\n'
      if (isLine) outer.block = block
      open.push({ depth, tag, block })
    } else if (words !== undefined && outer?.block) outer.block.text += words
  }
  return blocks.filter(({ tag, text }) => tag !== 'Lbl' && text.trim() !== '')
}
