/** Targets of KF8 links: a fragment and an offset in it, at which an element begins. */
import { fromBase32 } from '../../format/base32.ts'
import { attributeIn, type Insertion, withInsertions } from '../markup/tag.ts'
import type { Kf8Text } from './parts.ts'

export interface Kf8Position {
  part: number
  /** Id of the element; empty for the beginning of the part. */
  id: string
}

const LINK = /kindle:pos:fid:([0-9A-V]{4}):off:([0-9A-V]{1,10})/gi
const START_TAG = /<[A-Za-z][^\s/>]*/y

/** Parses a link, if it has such a target. */
export function parseLink(link: string): { fragment: number; offset: number } | undefined {
  const [, fragment, offset] = /^\s*kindle:pos:fid:([0-9A-V]{4}):off:([0-9A-V]{1,10})/i.exec(link) ?? []
  return fragment && offset ? { fragment: fromBase32(fragment), offset: fromBase32(offset) } : undefined
}

/**
 * Gives an id to every element that is the target of a link or of one of `others`.
 * @param others fragments and offsets from indexes
 * @returns the parts as text, and a function that finds a place
 */
export function markPlaces(
  { parts, fragments }: Pick<Kf8Text, 'parts' | 'fragments'>,
  others: readonly { fragment: number; offset: number }[],
) {
  // One character per byte, so that offsets remain valid.
  const sources = parts.map(part => part.toString('latin1'))
  const wanted = parts.map(() => new Set<number>())
  const want = (fragment: number, offset: number) => {
    const found = fragments[fragment]
    if (found) wanted[found.part]?.add(found.start + offset)
  }
  for (const source of sources)
    for (const [, fragment = '', offset = ''] of source.matchAll(LINK))
      want(fromBase32(fragment), fromBase32(offset))
  for (const { fragment, offset } of others) want(fragment, offset)
  const ids = sources.map((source, part) => idsAt(source, [...wanted[part]!], part))
  const texts = sources.map((source, part) =>
    Buffer.from(withInsertions(source, ids[part]!.insertions), 'latin1').toString(),
  )
  const find = (fragment: number, offset: number): Kf8Position | undefined => {
    const found = fragments[fragment]
    const id = found && ids[found.part]?.byOffset.get(found.start + offset)
    return found && id !== undefined ? { part: found.part, id } : undefined
  }
  return { texts, find }
}

function idsAt(source: string, offsets: number[], part: number) {
  const byOffset = new Map<number, string>()
  const byTag = new Map<number, string>()
  const insertions: Insertion[] = []
  const body = /<body[^>]*>/i.exec(source)
  const bodyStart = body ? body.index + body[0].length : 0
  for (const offset of offsets.sort((first, second) => first - second)) {
    const at = offset < bodyStart ? -1 : tagAt(source, offset)
    // Only white space precedes it, so it is the beginning of the part.
    if (at < 0 || source.slice(bodyStart, at).trim() === '') {
      byOffset.set(offset, '')
      continue
    }
    let id = byTag.get(at)
    if (id === undefined) {
      const end = source.indexOf('>', at)
      const own = attributeIn(source.slice(at, end + 1), 'id')
      id = own ? Buffer.from(own, 'latin1').toString() : `place-${part + 1}-${at.toString(36)}`
      if (!own) {
        START_TAG.lastIndex = at
        const name = START_TAG.exec(source)?.[0] ?? ''
        insertions.push({ at: at + name.length, text: ` id="${id}"` })
      }
      byTag.set(at, id)
    }
    byOffset.set(offset, id)
  }
  return { byOffset, insertions }
}

/** Start of the tag that contains the offset, or of the first start tag after it; -1 if there is none. */
function tagAt(source: string, offset: number): number {
  const before = source.lastIndexOf('<', offset)
  let at = before >= 0 && source.lastIndexOf('>', offset - 1) < before ? before : source.indexOf('<', offset)
  while (at >= 0 && !/[A-Za-z]/.test(source[at + 1] ?? '')) at = source.indexOf('<', at + 1)
  return at
}
