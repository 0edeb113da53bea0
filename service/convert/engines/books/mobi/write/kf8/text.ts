import { lastUpTo } from '../../../../common/search.ts'
import { splitTarget } from '../../../book/links.ts'
import type { Book } from '../../../book/model.ts'
import { toBase32 } from '../../format/base32.ts'
import { TAGS } from '../../format/tags.ts'
import { Anchors } from '../anchors.ts'
import { contentsRecords, type TextPosition } from '../contents.ts'
import type { Documents } from '../documents.ts'
import { guideEntries, guideRecords, startOf } from '../guide.ts'
import { type IndexEntry, IndexStrings, indexRecords, type Tag } from '../index-table.ts'
import type { Resources } from '../resources.ts'
import { type PackedText, packText } from '../text-records.ts'
import { Utf8Writer } from '../utf8-writer.ts'
import { DocumentWriter, type Kf8Writing, type WrittenDocument } from './document.ts'
import { Flows } from './flows.ts'

/** The text of a book in KF8, with its indexes. */
export interface Kf8Text {
  /** All flows, one after another. */
  text: PackedText
  flowLengths: number[]
  fragments: Uint8Array[]
  skeletons: Uint8Array[]
  guide: Uint8Array[]
  contents: Uint8Array[]
  /** Position of the start of reading, if the book declares it. */
  start: number | undefined
}

interface PositionedDocument extends WrittenDocument {
  /** Number in the book of its first fragment. */
  firstFragment: number
}

/** Writes the documents of a book with links between them, followed by its style sheets and SVG documents. */
export function writeKf8Text(
  book: Book,
  documents: Documents,
  resources: Resources,
  progress: (fraction: number) => void,
): Kf8Text {
  const flows = new Flows(book, resources)
  const writer = new Utf8Writer()
  const anchors = new Anchors()
  const writing: Kf8Writing = {
    text: writer,
    resources,
    flows,
    documents,
    anchors,
    links: [],
    nextAid: 0,
  }
  const positioned = new Map<string, PositionedDocument>()
  let fragments = 0
  for (const href of documents.hrefs) {
    progress(positioned.size / documents.hrefs.length)
    const written = new DocumentWriter(href, writing).write(documents.read(href))
    positioned.set(href, { ...written, firstFragment: fragments })
    fragments += written.fragments.length
  }
  const locate = (target: string): TextPosition | undefined => {
    const document = positioned.get(splitTarget(target).href)
    return document && placeIn(document, anchors.find(target) ?? 0)
  }
  for (const { at, target } of writing.links) {
    const place = locate(target)
    if (place) writer.patch(at, addressOf(place))
  }
  const documentLength = writer.length
  const flowLengths = [documentLength]
  for (const flow of flows.contents()) {
    writer.append(flow)
    flowLengths.push(flow.length)
  }
  const guide = guideEntries(book, locate)
  return {
    text: packText(writer),
    flowLengths,
    ...layoutRecords([...positioned.values()]),
    guide: guideRecords(guide),
    contents: contentsRecords(book.navigation, locate, documentLength, true),
    start: startOf(guide),
  }
}

/** The place of a byte of the text; bytes before the body get the start of the body. */
function placeIn(document: PositionedDocument, at: number): TextPosition {
  const inBody = Math.max(0, at - document.from - document.skeletonLength)
  const { fragments, firstFragment } = document
  const last = lastUpTo(fragments, inBody, ({ from }) => from)
  const number = Math.max(0, last)
  return {
    // Readers count positions in assembled documents, where the body is inside the skeleton.
    position: document.from + document.headLength + inBody,
    fragment: firstFragment + number,
    offset: inBody - (fragments[number]?.from ?? 0),
  }
}

const addressOf = ({ fragment = 0, offset = 0 }: TextPosition) =>
  `kindle:pos:fid:${toBase32(fragment, 4)}:off:${toBase32(offset, 10)}`

/** The indexes of the skeletons and their fragments. */
function layoutRecords(documents: readonly PositionedDocument[]) {
  const strings = new IndexStrings()
  const skeletons: IndexEntry[] = []
  const fragments: IndexEntry[] = []
  for (const [index, document] of documents.entries()) {
    const { from, headLength, skeletonLength } = document
    const count = document.fragments.length
    skeletons.push({
      label: `SKEL${String(index).padStart(10, '0')}`,
      values: {
        [TAGS.skeleton.fragments]: [count, count],
        [TAGS.skeleton.place]: [from, skeletonLength, from, skeletonLength],
      },
    })
    for (const fragment of document.fragments) {
      fragments.push({
        label: String(from + headLength + fragment.from).padStart(10, '0'),
        values: {
          [TAGS.fragment.selector]: [strings.add(`P-//*[@aid='${fragment.within}']`)],
          [TAGS.fragment.file]: [index],
          [TAGS.fragment.number]: [fragments.length],
          [TAGS.fragment.place]: [fragment.from, fragment.to - fragment.from],
        },
      })
    }
  }
  const { selector, file, number, place } = TAGS.fragment
  const parts: Tag[] = [
    [TAGS.skeleton.fragments, 1, 2],
    [TAGS.skeleton.place, 2, 2],
  ]
  const pieces = [...[selector, file, number].map((tag): Tag => [tag, 1]), [place, 2] as const]
  return {
    skeletons: indexRecords(parts, skeletons),
    fragments: indexRecords(pieces, fragments, strings),
  }
}
