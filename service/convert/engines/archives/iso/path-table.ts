import { zeroed } from './fields.ts'
import type { PlacedFolder } from './hierarchy.ts'
import { encoded, type Kind, SELF } from './records.ts'

/** A parent's number has 16 bits. */
const PARENT_LIMIT = 0xffff

/**
 * A path table (ECMA-119, 9.4), which some systems use to find folders. It ends before the first folder whose parent's
 * number does not fit; such folders can still be found through the records.
 * @param folders in the table's order
 * @param bigEndian whether to write the table of type M instead of L
 */
export function pathTable(folders: readonly PlacedFolder[], kind: Kind, bigEndian: boolean): Buffer {
  const entries: Buffer[] = []
  for (const { parent, identifier, location } of folders) {
    const parentNumber = parent?.number ?? 1
    if (parentNumber > PARENT_LIMIT) break
    const bytes = parent ? encoded(identifier, kind) : SELF
    const entry = zeroed(8 + bytes.length + (bytes.length & 1))
    entry[0] = bytes.length
    entry[bigEndian ? 'writeUInt32BE' : 'writeUInt32LE'](location, 2)
    entry[bigEndian ? 'writeUInt16BE' : 'writeUInt16LE'](parentNumber, 6)
    entry.set(bytes, 8)
    entries.push(entry)
  }
  return Buffer.concat(entries)
}
