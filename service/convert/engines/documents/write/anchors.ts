import { type Block, blocksOf, type Document, inlineOf, plainText } from '../model.ts'
import { Slugs } from '../slugs.ts'

export type Heading = Extract<Block, { kind: 'heading' }>

/** The link targets of a document, and the heading that contains each. */
export interface Anchors {
  wanted: ReadonlySet<string>
  headings: ReadonlyMap<string, Heading>
  /** Headings in document order, including those in tables and lists. */
  all: readonly Heading[]
}

/** @param others names of places that more than its links lead to */
export function anchorsOf(document: Document, others: readonly string[] = []): Anchors {
  const wanted = new Set(others)
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

/** The name of a place as one that may stand in an address. */
export const placeName = (anchor: string): string => anchor.replace(/[^\w.-]/g, '-')

export function slugsOf(headings: readonly Heading[]): Map<Heading, string> {
  const slugs = new Slugs()
  return new Map(headings.map(heading => [heading, slugs.of(plainText(heading.content))]))
}
