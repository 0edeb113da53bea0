import { type Block, blocksOf, type Document, inlineOf, plainText } from '../model.ts'

type Heading = Extract<Block, { kind: 'heading' }>

/** The link targets of a document, and the heading that contains each. */
export interface Anchors {
  wanted: ReadonlySet<string>
  headings: ReadonlyMap<string, Heading>
  /** Headings in document order, including those in tables and lists. */
  all: readonly Heading[]
}

export function anchorsOf(document: Document): Anchors {
  const wanted = new Set<string>()
  const headings = new Map<string, Heading>()
  const all: Heading[] = []
  for (const block of blocksOf(document)) {
    const heading = block.kind === 'heading' ? block : undefined
    if (heading) all.push(heading)
    for (const part of inlineOf(block)) {
      if (part.kind === 'reference') wanted.add(part.anchor)
      if (part.kind === 'anchor' && heading) headings.set(part.name, heading)
    }
  }
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
