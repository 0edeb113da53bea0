import { type Block, type Inline, plainText, type WordDocument } from '../../../engines/docx/model.ts'

type Heading = Extract<Block, { kind: 'heading' }>

/** The link targets of a document, and the heading that contains each. */
export interface Anchors {
  wanted: ReadonlySet<string>
  headings: ReadonlyMap<string, Heading>
  /** Headings in document order, including those in tables and lists. */
  all: readonly Heading[]
}

export function anchorsOf(document: WordDocument): Anchors {
  const wanted = new Set<string>()
  const headings = new Map<string, Heading>()
  const all: Heading[] = []
  const inInline = (content: readonly Inline[], heading?: Heading): void => {
    for (const part of content) {
      if (part.kind === 'reference') wanted.add(part.anchor)
      if (part.kind === 'anchor' && heading) headings.set(part.name, heading)
      if (part.kind === 'reference' || part.kind === 'link') inInline(part.content, heading)
    }
  }
  const inBlocks = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'heading') {
        all.push(block)
        inInline(block.content, block)
      } else if (block.kind === 'paragraph') inInline(block.content)
      else if (block.kind === 'quote') inBlocks(block.blocks)
      else if (block.kind === 'list') block.items.forEach(inBlocks)
      else if (block.kind === 'table')
        for (const row of block.rows) for (const cell of row.cells) inBlocks(cell.blocks)
    }
  }
  inBlocks(document.blocks)
  document.notes.forEach(inBlocks)
  return { wanted, headings, all }
}

/** The anchor that GitHub gives each heading: https://github.com/Flet/github-slugger */
export function slugsOf(headings: readonly Heading[]): Map<Heading, string> {
  const taken = new Map<string, number>()
  return new Map(
    headings.map(heading => {
      const slug = plainText(heading.content)
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
        .replaceAll(' ', '-')
      const count = taken.get(slug) ?? 0
      taken.set(slug, count + 1)
      return [heading, count === 0 ? slug : `${slug}-${count}`]
    }),
  )
}
