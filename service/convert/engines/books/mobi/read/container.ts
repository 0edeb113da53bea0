/** Opens a Mobipocket or Kindle book: selects the part to read, and reads its text. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { EXTH } from '../format/exth.ts'
import { BOOK_TYPE, BOUNDARY, PLAIN_TYPE } from '../format/header.ts'
import { exthNumber, type Header, readHeader } from './header.ts'
import { readPalmDatabase } from './palm-database.ts'
import { Resources } from './resources.ts'
import { readText } from './text.ts'

export interface Container {
  records: readonly Buffer[]
  /** Header of the part that is read: KF8 if the file has it. */
  header: Header
  /** Name of the database, for books without a title. */
  name: string
  modified: Date | undefined
  /** The markup in the encoding of the header; in KF8, all flows. */
  text: Buffer
  resources: Resources
}

export const KF8_VERSION = 8
const PRINT_REPLICA = '%MOP'
/** Kinds of Kindle books that are not Palm databases, by their first bytes. */
const OTHER_KINDS = {
  '\xeaDRMION\xee': () => new JobFailure('jobs.encrypted_input'),
  TPZ: () => new JobFailure('jobs.unsupported_input', message('mobi.topaz')),
  CONT: () => new JobFailure('jobs.unsupported_input', message('mobi.kfx')),
}

/** @throws JobFailure corrupt_input, encrypted_input, unsupported_input, too_large; DamagedFile when it is damaged */
export function openContainer(file: Buffer): Container {
  for (const [starts, failure] of Object.entries(OTHER_KINDS))
    if (file.toString('latin1', 0, starts.length) === starts) throw failure()
  const { name, type, modified, records } = readPalmDatabase(file)
  if (type !== BOOK_TYPE && type !== PLAIN_TYPE) throw new JobFailure('jobs.corrupt_input')
  const first = readHeader(records, 0)
  const header = (first.version < KF8_VERSION && kf8Header(records, first)) || first
  if (first.encrypted || header.encrypted) throw new JobFailure('jobs.encrypted_input')
  const text = readText(records, header)
  if (text.toString('latin1', 0, PRINT_REPLICA.length) === PRINT_REPLICA)
    throw new JobFailure('jobs.unsupported_input', message('mobi.print_replica'))
  // Both parts of a file share the resources of the first; without a MOBI header they follow the text.
  const resources = new Resources(records, first.version === 0 ? first.textRecords + 1 : first.firstResource)
  return { records, header, name, modified, text, resources }
}

function kf8Header(records: readonly Buffer[], first: Header): Header | undefined {
  const number = exthNumber(first, EXTH.kf8Header) ?? 0
  const before = records[number - 1]
  if (before?.toString('latin1', 0, BOUNDARY.length) !== BOUNDARY) return undefined
  const header = readHeader(records, number)
  return header.version === KF8_VERSION ? header : undefined
}
