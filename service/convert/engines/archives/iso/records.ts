/** Directory records, which describe a folder, its parent and its members (ECMA-119, 9.1). */
import { Continuations } from './continuations.ts'
import { both16, both32, SECTOR_BYTES, sectorsOf, ucs2, writeDate, zeroed } from './fields.ts'
import type { PlacedFolder } from './hierarchy.ts'
import { extension, folderFields, memberFields, sharing } from './rock-ridge.ts'

const HEADER_BYTES = 33
/** Maximum record size: its length is stored in one byte and must be even. */
const RECORD_BYTES = 254

const FOLDER_FLAG = 0x02
/** Another section of the same file follows. */
const CONTINUES_FLAG = 0x80

/** Maximum size of a file section that one record can describe, in whole sectors. */
export const EXTENT_BYTES = 2 ** 32 - SECTOR_BYTES

/** Kind of tree; it determines the encoding of identifiers and whether records have Rock Ridge fields. */
export type Kind = 'primary' | 'joliet'

/** An identifier in its stored form. */
export const encoded = (identifier: string, kind: Kind): Buffer =>
  kind === 'joliet' ? ucs2(identifier) : Buffer.from(identifier, 'latin1')

interface Extent {
  location: number
  bytes: number
}

/** Identifiers of a folder within itself, and of its parent there. */
export const SELF = Buffer.from([0])
const PARENT = Buffer.from([1])

const NO_FIELDS = Buffer.alloc(0)

/** Bytes of a record without fields. */
const bareBytes = (identifier: Uint8Array) => HEADER_BYTES + (identifier.length | 1)

/** One record; `fields` follow the identifier. */
export function directoryRecord(
  identifier: Uint8Array,
  { location, bytes }: Extent,
  modified: Date,
  flags: number,
  fields: Uint8Array = NO_FIELDS,
): Buffer {
  const fixedBytes = bareBytes(identifier)
  const record = zeroed(fixedBytes + fields.length + (fields.length & 1))
  record[0] = record.length
  both32(record, 2, location)
  both32(record, 10, bytes)
  writeDate(record, 18, modified)
  record[25] = flags
  both16(record, 28, 1)
  record[32] = identifier.length
  record.set(identifier, HEADER_BYTES)
  record.set(fields, fixedBytes)
  return record
}

/** The root folder's own record, which the volume descriptor repeats. */
export const rootRecord = (root: PlacedFolder): Buffer =>
  directoryRecord(SELF, root, root.folder.inode.modified, FOLDER_FLAG)

/** The sections of a file, at least one. */
export function sectionsOf({ location, size }: { location: number; size: number }): Extent[] {
  const sections: Extent[] = []
  for (let done = 0; done === 0 || done < size; done += EXTENT_BYTES) {
    sections.push({
      location: location + done / SECTOR_BYTES,
      bytes: Math.min(EXTENT_BYTES, size - done),
    })
  }
  return sections
}

/** The sector to which records of empty files point, since readers drop files at sector 0. */
interface Places {
  empty: number
}

/** The records of a folder in order; `continuations` takes the fields that do not fit. */
function* recordsOf(
  directory: PlacedFolder,
  kind: Kind,
  { empty }: Places,
  continuations: Continuations,
): Generator<Buffer> {
  const fieldsFor = (identifier: Uint8Array, fields: readonly Buffer[]) =>
    kind === 'joliet' ? undefined : continuations.arrange(fields, RECORD_BYTES - bareBytes(identifier))
  const isRoot = !directory.parent
  const own = folderFields(directory.folder.inode)
  const parent = directory.parent ?? directory
  const { modified } = directory.folder.inode
  yield directoryRecord(
    SELF,
    directory,
    modified,
    FOLDER_FLAG,
    fieldsFor(SELF, isRoot ? [sharing, ...own, extension] : own),
  )
  yield directoryRecord(
    PARENT,
    parent,
    parent.folder.inode.modified,
    FOLDER_FLAG,
    fieldsFor(PARENT, folderFields(parent.folder.inode)),
  )
  for (const { node, identifier, directory: folder } of directory.members) {
    const bytes = encoded(folder ? identifier : `${identifier};1`, kind)
    const extents = folder
      ? [folder]
      : node.kind === 'file' && node.inode.size > 0
        ? sectionsOf(node.inode)
        : [{ location: empty, bytes: 0 }]
    for (const [index, extent] of extents.entries()) {
      const flags = folder ? FOLDER_FLAG : index < extents.length - 1 ? CONTINUES_FLAG : 0
      yield directoryRecord(bytes, extent, node.inode.modified, flags, fieldsFor(bytes, memberFields(node)))
    }
  }
}

/** Zeros up to the next sector. */
const padding = (position: number) => Buffer.alloc(sectorsOf(position) * SECTOR_BYTES - position)

/** The records of a folder in whole sectors, whose boundaries none of them crosses. */
function* recordSectors(...folder: Parameters<typeof recordsOf>): Generator<Buffer> {
  let position = 0
  for (const record of recordsOf(...folder)) {
    if ((position % SECTOR_BYTES) + record.length > SECTOR_BYTES) {
      const rest = padding(position)
      position += rest.length
      yield rest
    }
    position += record.length
    yield record
  }
  yield padding(position)
}

/** The data of a folder: its records, followed by the continuations. */
export function* folderBytes(directory: PlacedFolder, kind: Kind, places: Places): Generator<Buffer> {
  const continuations = new Continuations(directory.location + directory.bytes / SECTOR_BYTES)
  yield* recordSectors(directory, kind, places, continuations)
  yield* continuations.parts
  yield padding(continuations.bytes)
}

/** Sets the size of a folder in bytes and sectors, which does not depend on its location. */
export function measure(folder: PlacedFolder, kind: Kind): void {
  const continuations = new Continuations(0)
  folder.bytes = 0
  for (const { length } of recordSectors(folder, kind, { empty: 0 }, continuations)) folder.bytes += length
  folder.continuationSectors = sectorsOf(continuations.bytes)
}
