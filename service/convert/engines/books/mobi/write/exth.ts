import { ByteWriter } from '../../../fonts/sfnt/data.ts'
import type { Book } from '../../book/model.ts'
import { EXTH } from '../format/exth.ts'

/** Facts about a part in addition to the book's own metadata. */
export interface PartFacts {
  version: 6 | 8
  /** Identifies the book, like the number of a shop. */
  identity: string
  /** Number of resource records; 0 in a part that shares those of another. */
  resources: number
  /** Resource numbers, from 0. */
  cover?: number | undefined
  thumbnail?: number | undefined
  packageRecord?: number | undefined
  /** `kindle:embed:…` */
  coverAddress?: string | undefined
  /** Position in the text where reading begins. */
  start?: number | undefined
  /** Number of the record at which KF8 begins, if it follows this part. */
  kf8Header?: number | undefined
}

/** The metadata of a part (https://wiki.mobileread.com/wiki/MOBI#EXTH_Header). */
export function exthRecords(book: Book, facts: PartFacts): Uint8Array {
  const writer = new ByteWriter(1024)
  let count = 0
  const add = (type: number, value: string | number | undefined) => {
    if (value === undefined || value === '') return
    const bytes = typeof value === 'string' ? Buffer.from(value) : undefined
    writer.u32(type)
    writer.u32(8 + (bytes?.length ?? 4))
    if (bytes) writer.bytes(bytes)
    else writer.u32(Number(value))
    count++
  }
  writer.tag('EXTH')
  writer.u32(0)
  writer.u32(0)
  addBook(book, facts.identity, add)
  addLayout(book, add)
  add(EXTH.coverAddress, facts.coverAddress)
  add(EXTH.cover, facts.cover)
  add(EXTH.thumbnail, facts.thumbnail)
  if (facts.cover !== undefined) add(EXTH.hasFakeCover, 0)
  add(EXTH.startReading, facts.start)
  add(EXTH.kf8Header, facts.kf8Header)
  add(EXTH.resources, facts.resources)
  add(EXTH.packageRecord, facts.packageRecord ?? 0)
  // Readers use these to detect the program that wrote the file; the values are those of kindlegen on Linux.
  add(EXTH.creator, 201)
  add(EXTH.creatorMajor, facts.version === 8 ? 2 : 1)
  add(EXTH.creatorMinor, facts.version === 8 ? 9 : 2)
  add(EXTH.creatorBuild, facts.version === 8 ? 0 : 33_307)
  if (facts.version === 8) add(EXTH.build, '0730-890adc2')
  const { length } = writer
  writer.pad(4)
  const bytes = writer.take()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  view.setUint32(4, length)
  view.setUint32(8, count)
  return bytes
}

type Add = (type: number, value: string | number | undefined) => void

function addBook({ metadata }: Book, identity: string, add: Add): void {
  const authors = metadata.authors.length > 0 ? metadata.authors : [{ name: 'Unknown' }]
  for (const { name } of authors) add(EXTH.author, name)
  for (const { fileAs } of metadata.authors) add(EXTH.authorFileAs, fileAs)
  add(EXTH.publisher, metadata.publisher)
  add(EXTH.description, metadata.description)
  for (const { scheme, value } of metadata.identifiers) {
    if (/isbn/i.test(scheme ?? value)) add(EXTH.isbn, value.replace(/^.*?([\dX-]{10,17})$/i, '$1'))
  }
  for (const subject of metadata.subjects) add(EXTH.subject, subject)
  add(EXTH.date, metadata.published)
  for (const { name } of metadata.contributors) add(EXTH.contributor, name)
  add(EXTH.rights, metadata.rights)
  add(EXTH.source, metadata.uniqueIdentifier || identity)
  add(EXTH.asin, identity)
  // Devices list books of this kind as books, and others as documents.
  add(EXTH.kind, 'EBOK')
  add(EXTH.title, metadata.title)
  add(EXTH.titleFileAs, metadata.titleFileAs)
  // If there are several, readers use the last one.
  add(EXTH.language, metadata.languages[0])
}

function addLayout({ layout, rendition, direction, primaryWritingMode }: Book, add: Add): void {
  const isRightToLeft = direction === 'rtl'
  const horizontal = isRightToLeft ? 'horizontal-rl' : primaryWritingMode && 'horizontal-lr'
  const isUsual = !primaryWritingMode || primaryWritingMode === 'horizontal-tb'
  add(EXTH.writingMode, isUsual ? horizontal : primaryWritingMode)
  if (direction !== 'default') add(EXTH.pageProgression, direction)
  if (layout !== 'fixed') return
  add(EXTH.fixedLayout, 'true')
  const { orientation, viewport } = rendition
  add(EXTH.orientation, orientation === 'landscape' || orientation === 'portrait' ? orientation : 'none')
  if (viewport) add(EXTH.resolution, `${Math.round(viewport.width)}x${Math.round(viewport.height)}`)
}
