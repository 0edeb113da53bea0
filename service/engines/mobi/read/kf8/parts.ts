/** The files of a KF8 book: each a skeleton with fragments put into it, all of them one after another in the first flow. */
import { TAGS } from '../../format/tags.ts'
import type { Container } from '../container.ts'
import { type IndexEntry, readIndex } from '../index-table.ts'

export interface Fragment {
  /** Number of the part it is in, and where it begins in the part's bytes. */
  part: number
  start: number
}

export interface Kf8Text {
  /** The markup of each whole file. */
  parts: Buffer[]
  /** By their number over the whole book. */
  fragments: Fragment[]
  /** What stands beside the text: style sheets and drawings, by number; the first, the text itself, is not among them. */
  flows: ReadonlyMap<number, Buffer>
}

/** Parts of a book; more is no book. */
const PART_LIMIT = 50_000
const FLOW_LIMIT = 50_000
/** Fragments of one part; Amazon's have 8 KB each. */
const FRAGMENT_LIMIT = 20_000

/** @throws RangeError when it is damaged */
export function readKf8Text(container: Container): Kf8Text {
  const { header, records, text } = container
  const spans = flowSpans(container)
  const flows = new Map(spans.slice(1).map(({ start, end }, index) => [index + 1, text.subarray(start, end)]))
  const flow = text.subarray(spans[0]?.start ?? 0, spans[0]?.end ?? text.length)
  const index = (number: number | undefined) =>
    number === undefined ? [] : readIndex(records, header.record + number, header.decoder).entries
  const skeletons = index(header.skeletonIndex)
  if (skeletons.length > PART_LIMIT) throw new RangeError('there are too many parts')
  if (skeletons.length === 0) return { parts: [flow], fragments: [], flows }
  const pieces = index(header.fragmentIndex)
  const parts: Buffer[] = []
  const fragments: Fragment[] = []
  for (const { tags } of skeletons) {
    const [start = 0, length = 0] = tags.get(TAGS.skeleton.place) ?? []
    const [count = 0] = tags.get(TAGS.skeleton.fragments) ?? []
    const own = pieces.slice(fragments.length, fragments.length + count)
    const placed = place(flow, start, length, own)
    for (const at of placed.starts) fragments.push({ part: parts.length, start: at })
    parts.push(placed.bytes)
  }
  return { parts, fragments, flows }
}

/**
 * Puts fragments into their skeleton, behind which they follow in the flow. Each says where it begins once all before it
 * are in place: mostly behind the last one, but it may also be within one.
 */
function place(flow: Buffer, start: number, length: number, pieces: readonly IndexEntry[]) {
  if (pieces.length > FRAGMENT_LIMIT) throw new RangeError('there are too many fragments')
  const segments = [flow.subarray(start, start + length)]
  let next = start + length
  /** A segment and where it begins, from which the next place is looked for. */
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

/** Where each flow lies in the text, as the FDST record says; one flow, where there is none. */
function flowSpans({ records, header, text }: Container): { start: number; end: number }[] {
  const whole = [{ start: 0, end: text.length }]
  const record = header.fdstRecord === undefined ? undefined : records[header.record + header.fdstRecord]
  if (header.flowCount < 2 || record?.toString('latin1', 0, 4) !== 'FDST') return whole
  const count = record.readUInt32BE(8)
  if (count > FLOW_LIMIT) throw new RangeError('there are too many flows')
  const first = record.readUInt32BE(4)
  return Array.from({ length: count }, (_, index) => ({
    start: record.readUInt32BE(first + 8 * index),
    end: record.readUInt32BE(first + 8 * index + 4),
  }))
}
