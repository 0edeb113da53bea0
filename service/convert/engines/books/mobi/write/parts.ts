import type { Book } from '../../book/model.ts'
import { exthRecords, type PartFacts } from './exth.ts'
import { END, FLIS, fcisRecord, flowRecord } from './fixed-records.ts'
import { headerRecord } from './header.ts'
import type { Kf8Text } from './kf8/text.ts'
import type { Mobi6Text } from './mobi6/text.ts'

/** Facts about the book that both parts of a file share. */
export interface Shared {
  book: Book
  /** A UUID, the book's own if it has one, and 32 bits. */
  identity: { uuid: string; number: number }
  resources: readonly Uint8Array[]
  hasFonts: boolean
  cover: Pick<PartFacts, 'cover' | 'coverAddress' | 'thumbnail' | 'packageRecord'>
}

interface Place {
  /** Records of a KF8 part that follows. */
  next?: readonly Uint8Array[] | undefined
  /** Whether the resources are in a preceding part. */
  isSecond?: boolean
}

/** Records of a part, in file order. */
export function partRecords(
  text: Mobi6Text | Kf8Text,
  shared: Shared,
  { next, isSecond = false }: Place = {},
): Uint8Array[] {
  const { book, identity, hasFonts, cover } = shared
  const kf8 = 'flowLengths' in text ? text : undefined
  const version = kf8 ? 8 : 6
  const { records: texts, length: textLength } = text.text
  // The first one is filled in last.
  const records: Uint8Array[] = [new Uint8Array()]
  /** @returns number of the first, if there are any */
  const put = (added: readonly Uint8Array[]): number | undefined => {
    const first = records.length
    for (const record of added) records.push(record)
    return added.length > 0 ? first : undefined
  }
  put(texts)
  const indexes = kf8 && {
    fragmentIndex: put(kf8.fragments),
    skeletonIndex: put(kf8.skeletons),
    guideIndex: put(kf8.guide),
  }
  const contentsIndex = put(text.contents)
  const resources = isSecond ? [] : shared.resources
  const firstResource = put(resources) ?? (isSecond ? records.length : undefined)
  const lastContent = records.length - 1
  const fdstRecord = kf8 && put([flowRecord(kf8.flowLengths)])
  const flisRecord = put([FLIS])
  const fcis = put([fcisRecord(version, textLength)])
  if (next) put([Buffer.from('BOUNDARY')])
  const kf8Header = next && put(next)
  if (!next) put([END])
  const exth = exthRecords(book, {
    version,
    identity: identity.uuid,
    resources: resources.length,
    start: text.start,
    kf8Header,
    ...cover,
  })
  records[0] = headerRecord({
    ...{ version, book, uniqueId: identity.number, exth, textLength, textRecords: texts.length },
    ...{ firstResource, fcisRecord: fcis, flisRecord, contentsIndex, lastContent },
    isHybrid: next !== undefined,
    hasFonts,
    kf8: indexes && kf8 && { ...indexes, fdstRecord, flows: kf8.flowLengths.length },
  })
  return records
}
