/** Reads Mobipocket and Kindle books: MOBI versions 1 to 7, KF8 (AZW3), and files with both, of which KF8 is read. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { type Message, message } from '../../../../../shared/messages/message.ts'
import { isDamage } from '../../../common/damage.ts'
import type { Book } from '../../book/model.ts'
import { EXTH } from '../format/exth.ts'
import { BookBuilder } from './book-builder.ts'
import { type Container, KF8_VERSION, openContainer } from './container.ts'
import { exthNumber } from './header.ts'
import { readKf8 } from './kf8/book.ts'
import { readMetadata, readPresentation } from './metadata.ts'
import { readMobi6 } from './mobi6/book.ts'
import { readPackageRecord } from './package-record.ts'

/**
 * @param warn called for everything in the book that is lost
 * @throws JobFailure corrupt_input, encrypted_input, unsupported_input, too_large
 */
export const readMobi = (file: Buffer, warn: (warning: Message) => void = () => {}): Book =>
  orCorrupt(() => read(openContainer(file), warn))

/** The same without pictures that cannot be decoded. */
export async function readShownMobi(file: Buffer, warn: (warning: Message) => void): Promise<Book> {
  const container = orCorrupt(() => openContainer(file))
  await container.resources.dropBroken()
  return orCorrupt(() => read(container, warn))
}

/** Offsets outside the file mean that it is damaged. */
function orCorrupt<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (isDamage(error)) throw new JobFailure('jobs.corrupt_input', undefined, { cause: error })
    throw error
  }
}

function read(container: Container, warn: (warning: Message) => void): Book {
  const source = readPackageRecord(container)
  const metadata = readMetadata(container, source)
  const presentation = readPresentation(container, source)
  const builder = new BookBuilder(container.resources, {
    title: metadata.title,
    language: metadata.languages[0] ?? 'und',
    viewport: presentation.layout === 'fixed' ? presentation.rendition.viewport : undefined,
  })
  const isKf8 = container.header.version >= KF8_VERSION
  const { spine, navigation, landmarks } = isKf8
    ? readKf8(container, builder, source)
    : readMobi6(container, builder)
  const coverIndex = exthNumber(container.header, EXTH.cover)
  const cover = coverIndex === undefined ? undefined : builder.resource(coverIndex + 1)
  builder.settleLinks()
  if (container.header.dictionary) warn(message('mobi.dictionary'))
  if (builder.missing.size > 0) warn(message('mobi.missing_resources', { count: builder.missing.size }))
  return {
    metadata,
    ...presentation,
    resources: builder.resources,
    spine,
    navigation,
    pageList: [],
    landmarks,
    cover:
      cover !== undefined && builder.resources.get(cover)?.mediaType.startsWith('image/') ? cover : undefined,
  }
}
