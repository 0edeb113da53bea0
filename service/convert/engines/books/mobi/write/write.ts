import { createHash } from 'node:crypto'
import { JobFailure } from '../../../../../shared/errors.ts'
import { type Message, message } from '../../../../../shared/messages/message.ts'
import { contentsFromHeadings } from '../../book/headings.ts'
import type { Book } from '../../book/model.ts'
import { uuidOf } from '../../book/uuid.ts'
import { toBase32 } from '../format/base32.ts'
import { Documents } from './documents.ts'
import { writeKf8Text } from './kf8/text.ts'
import { writeMobi6Text } from './mobi6/text.ts'
import { bookPackageRecord } from './package-record.ts'
import { databaseHead } from './palm-database.ts'
import { partRecords, type Shared } from './parts.ts'
import { thumbnail } from './pictures.ts'
import { Resources } from './resources.ts'

/** Versions of the format in the file: `both` is what kindlegen writes, an old part followed by a new one. */
export type KindleVersions = 'kf8' | 'mobi6' | 'both'

export interface KindleSettings {
  versions: KindleVersions
  warn(warning: Message): void
  /** Called with the completed share, 0 to 1. */
  progress(fraction: number): void
}

/** Creation time of books without a modification date; fixed, so that the same book gives the same file. */
const UNKNOWN_DATE = new Date('2000-01-01T00:00:00Z')

/**
 * Writes a book for Kindle.
 * @returns the pieces of the file, in order
 * @throws JobFailure too_large; corrupt_input if nothing of the book can be written
 */
export async function writeKindleBook(source: Book, settings: KindleSettings): Promise<Uint8Array[]> {
  const { versions, warn, progress } = settings
  const documents = new Documents(source)
  if (documents.hrefs.length === 0) throw new JobFailure('jobs.corrupt_input', message('kindle.empty'))
  const { navigation } = source
  const headings = () => contentsFromHeadings(documents.hrefs, href => documents.read(href))
  const book = navigation.length > 0 ? source : { ...source, navigation: headings() }
  const warnOf = (
    key: 'kindle.documents_left_out' | 'kindle.resources_left_out',
    hrefs: readonly string[],
  ) => {
    if (hrefs[0] !== undefined) warn(message(key, { count: hrefs.length, name: shortName(hrefs[0]) }))
  }
  warnOf('kindle.documents_left_out', documents.lost)
  const lost: string[] = []
  const resources = await Resources.prepare(book, {
    isOldOnly: versions === 'mobi6',
    drawsSvg: versions !== 'kf8',
    onLoss: href => lost.push(href),
    progress: fraction => progress(fraction * 0.3),
  })
  const cover = book.cover === undefined ? undefined : resources.number(book.cover)
  const kf8 =
    versions === 'mobi6'
      ? undefined
      : writeKf8Text(book, documents, resources, fraction => progress(0.3 + fraction * 0.3))
  const mobi6 =
    versions === 'kf8'
      ? undefined
      : await writeMobi6Text(book, documents, resources, fraction => progress(0.6 + fraction * 0.2))
  warnOf('kindle.resources_left_out', lost)
  const shared: Shared = {
    book,
    identity: identityOf(book, (kf8 ?? mobi6)!.text.hash),
    resources: resources.records,
    hasFonts: resources.hasFonts,
    cover: await coverFacts(book, resources, cover),
  }
  const { modified } = book.metadata
  const date = modified && Number.isFinite(modified.getTime()) ? modified : UNKNOWN_DATE
  shared.cover.packageRecord = resources.add(bookPackageRecord(book, documents.hrefs, date)) - 1
  progress(0.8)
  const next = kf8 && partRecords(kf8, shared, { isSecond: mobi6 !== undefined })
  const records = mobi6 ? partRecords(mobi6, shared, { next }) : next!
  progress(1)
  return [databaseHead(book.metadata.title, date, records), ...records]
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

/** The same book always gets the same identifiers. @param text hash of the text of the file */
function identityOf({ metadata }: Book, text: Uint8Array): Shared['identity'] {
  const hash = createHash('sha256').update(text).update(JSON.stringify(metadata)).digest()
  const own = UUID.exec(metadata.uniqueIdentifier)?.[0].toLowerCase()
  return { uuid: own ?? uuidOf(hash.toString('hex')).replace('urn:uuid:', ''), number: hash.readUInt32BE(28) }
}

async function coverFacts(book: Book, resources: Resources, cover: number | undefined) {
  const picture = book.cover === undefined ? undefined : resources.picture(book.cover)
  if (cover === undefined || !picture) return {}
  const small = await thumbnail(picture).catch(() => undefined)
  return {
    cover: cover - 1,
    coverAddress: `kindle:embed:${toBase32(cover, 4)}`,
    thumbnail: small ? resources.add(small) - 1 : cover - 1,
  }
}

/** A name that fits into a sentence. */
const shortName = (href: string) => {
  const name = href.slice(href.lastIndexOf('/') + 1)
  return name.length > 40 ? `${name.slice(0, 39)}…` : name
}
