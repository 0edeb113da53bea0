import type { Book } from '../../book/model.ts'
import { exthRecords, type PartFacts } from './exth.ts'
import { END, FLIS, fcisRecord, flowRecord } from './fixed-records.ts'
import { headerRecord } from './header.ts'
import type { Identity } from './identity.ts'
import type { Kf8Text } from './kf8/text.ts'
import type { Mobi6Text } from './mobi6/text.ts'

/** Facts about the book that both parts of a file share. */
export interface Shared {
  book: Book
  identity: Identity
  resources: readonly Uint8Array[]
  hasFonts: boolean
  cover: Pick<PartFacts, 'cover' | 'coverAddress' | 'thumbnail' | 'packageRecord'>
}

/** Records in file order; the first one is filled in last. */
class Records {
  readonly all: Uint8Array[] = [new Uint8Array()]

  /** @returns number of the first, if there are any */
  put(records: readonly Uint8Array[]): number | undefined {
    if (records.length === 0) return undefined
    const first = this.all.length
    for (const record of records) this.all.push(record)
    return first
  }

  putOne(record: Uint8Array): number {
    return this.all.push(record) - 1
  }
}

/**
 * Records of a KF8 part.
 * @param ownsResources false if the resources are in a preceding part
 */
export function kf8Records(text: Kf8Text, shared: Shared, ownsResources: boolean): Uint8Array[] {
  const { book, identity, hasFonts, cover } = shared
  const records = new Records()
  const { records: texts, length: textLength } = text.text
  records.put(texts)
  const fragmentIndex = records.put(text.fragments)!
  const skeletonIndex = records.put(text.skeletons)!
  const guideIndex = records.put(text.guide)
  const contentsIndex = records.put(text.contents)
  const resources = ownsResources ? shared.resources : []
  const firstResource = records.put(resources) ?? (ownsResources ? undefined : records.all.length)
  const fdstRecord = records.putOne(flowRecord(text.flowLengths))
  const flisRecord = records.putOne(FLIS)
  const fcis = records.putOne(fcisRecord(8, textLength))
  records.putOne(END)
  const exth = exthRecords(book, {
    version: 8,
    identity: identity.uuid,
    resources: resources.length,
    start: text.start,
    ...cover,
  })
  records.all[0] = headerRecord({
    version: 8,
    book,
    uniqueId: identity.number,
    exth,
    textLength,
    textRecords: texts.length,
    firstResource,
    fcisRecord: fcis,
    flisRecord,
    contentsIndex,
    hasFonts,
    kf8: { fdstRecord, flows: text.flowLengths.length, fragmentIndex, skeletonIndex, guideIndex },
  })
  return records.all
}

/**
 * Records of a part in MOBI 6.
 * @param kf8 records of a KF8 part that follows it
 */
export function mobi6Records(text: Mobi6Text, shared: Shared, kf8?: readonly Uint8Array[]): Uint8Array[] {
  const { book, identity, cover, resources } = shared
  const records = new Records()
  const { records: texts, length: textLength } = text.text
  records.put(texts)
  const contentsIndex = records.put(text.contents)
  const firstResource = records.put(resources)
  const lastContent = records.all.length - 1
  const flisRecord = records.putOne(FLIS)
  const fcis = records.putOne(fcisRecord(6, textLength))
  if (kf8) records.putOne(Buffer.from('BOUNDARY'))
  const kf8Header = kf8 && records.put(kf8)
  if (!kf8) records.putOne(END)
  const exth = exthRecords(book, {
    version: 6,
    identity: identity.uuid,
    resources: resources.length,
    start: text.start,
    kf8Header,
    ...cover,
  })
  records.all[0] = headerRecord({
    version: 6,
    book,
    uniqueId: identity.number,
    exth,
    textLength,
    textRecords: texts.length,
    firstResource,
    fcisRecord: fcis,
    flisRecord,
    contentsIndex,
    isHybrid: kf8 !== undefined,
    lastContent,
  })
  return records.all
}
