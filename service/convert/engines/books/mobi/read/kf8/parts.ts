/** The files of a KF8 book, stored one after another in the first flow. Each is a skeleton with fragments inserted into it. */
import { DamagedFile } from '../../../../common/damage.ts'
import { TAGS } from '../../format/tags.ts'
import type { Container } from '../container.ts'
import { type IndexEntry, readIndex } from '../index-table.ts'

export interface Fragment {
  /** Number of its part, and its byte offset in the part. */
  part: number
  start: number
}

export interface Kf8Text {
  /** The complete markup of each file. */
  parts: Buffer[]
  /** Fragments by their number in the whole book. */
  fragments: Fragment[]
  /** Style sheets and SVG documents: the flows after the first, which is the text itself. */
  flows: readonly Buffer[]
}

/** Maximum number of parts, beyond any real book. */
const PART_LIMIT = 50_000
const FLOW_LIMIT = 50_000
/** Maximum number of fragments of a part; Amazon's have 8 KB each. */
const FRAGMENT_LIMIT = 20_000

/** @throws DamagedFile when it is damaged */
export function readKf8Text(container: Container): Kf8Text {
  const { header, records } = container
  const [flow = container.text, ...flows] = flowsOf(container)
  const index = (number: number | undefined) =>
    number === undefined ? [] : readIndex(records, header.record + number, header.decoder).entries
  const skeletons = index(header.skeletonIndex)
  if (skeletons.length > PART_LIMIT) throw new DamagedFile('there are too many parts')
  if (skeletons.length === 0) return { parts: [flow], fragments: [], flows }
  const pieces = index(header.fragmentIndex)
  const parts: Buffer[] = []
  const fragments: Fragment[] = []
  for (const { tags } of skeletons) {
    const [start = 0, length = 0] = tags.get(TAGS.skeleton.place) ?? []
    const [count = 0] = tags.get(TAGS.skeleton.fragments) ?? []
    const own = pieces.slice(fragments.length, fragments.length + count)
    const positioned = place(flow, start, length, own)
    for (const at of positioned.starts) fragments.push({ part: parts.length, start: at })
    parts.push(positioned.bytes)
  }
  return { parts, fragments, flows }
}

/**
 * Inserts fragments into their skeleton, which they follow in the flow. The position of each one is relative to the text
 * with all earlier fragments in place: mostly after the last one, but it can also be within one.
 */
function place(flow: Buffer, start: number, length: number, pieces: readonly IndexEntry[]) {
  if (pieces.length > FRAGMENT_LIMIT) throw new DamagedFile('there are too many fragments')
  const segments = [flow.subarray(start, start + length)]
  let next = start + length
  /** The segment from which the next position is searched, and its start. */
  let current = { index: 0, start: 0 }
  const starts = pieces.map(({ label, tags }) => {
    const [, bytes = 0] = tags.get(TAGS.fragment.place) ?? []
    const piece = flow.subarray(next, next + bytes)
    next += piece.length
    const at = Math.max(0, Number.parseInt(label, 10) - start || 0)
    if (at < current.start) current = { index: 0, start: 0 }
    let { index, start: segmentStart } = current
    while (index < segments.length - 1 && segmentStart + segments[index]!.length < at)
      segmentStart += segments[index++]!.length
    const segment = segments[index]!
    const cut = at - segmentStart
    segments.splice(index, 1, segment.subarray(0, cut), piece, segment.subarray(cut))
    current = { index, start: segmentStart }
    return at
  })
  return { bytes: Buffer.concat(segments), starts }
}

/** The flows of the text, whose ranges are in the FDST record; a single flow if there is no such record. */
function flowsOf({ records, header, text }: Container): Buffer[] {
  const record = header.fdstRecord === undefined ? undefined : records[header.record + header.fdstRecord]
  if (header.flowCount < 2 || record?.toString('latin1', 0, 4) !== 'FDST') return [text]
  const count = record.readUInt32BE(8)
  if (count > FLOW_LIMIT) throw new DamagedFile('there are too many flows')
  const first = record.readUInt32BE(4)
  return Array.from({ length: count }, (_, index) => {
    const at = first + 8 * index
    return text.subarray(record.readUInt32BE(at), record.readUInt32BE(at + 4))
  })
}
