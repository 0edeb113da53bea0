/**
 * UDF files and folders: each has an entry of one block, and folders contain identifiers. Symbolic links are left out:
 * 7-Zip rejects a volume that contains one, and Windows does not show them.
 */
import { SECTOR_BYTES, sectorsOf } from '../fields.ts'
import type { PlacedFolder } from '../hierarchy.ts'
import type { Inode } from '../tree.ts'
import { compressed, MAKER, sealed, writeBlock, writeIdentifier, writeTimestamp } from './tag.ts'
import { FIRST_ENTRY_BLOCK, places } from './volume.ts'

/** Maximum name length in units: 255 bytes at two bytes per unit, after a byte for the unit width. */
export const NAME_LENGTH = 127

const ENTRY_BYTES = 176
const IDENTIFIER_BYTES = 38

/** Lengths have 30 bits; all extents but the last are whole blocks. */
const EXTENT_BYTES = 2 ** 30 - SECTOR_BYTES

/** The block of a file's or folder's entry. Entries are in the order of serial numbers, with the root first. */
const entryBlock = ({ serial }: Inode) => FIRST_ENTRY_BLOCK + serial - 1

/** Numbers up to 15 are reserved, and the root has 0. */
export const uniqueIdOf = ({ serial }: Inode): number => (serial === 1 ? 0 : serial + 15)

const fileTypes = { folder: 4, file: 5 } as const

/** Permissions of others, group and owner in five bits each, in which run, write and read are the lowest (ECMA-167, 4/14.9.5). */
const permissionsOf = (mode: number) => (mode & 7) | (((mode >> 3) & 7) << 5) | (((mode >> 6) & 7) << 10)

/** Setuid, setgid and sticky are bits 6, 7 and 8 of the flags. */
const specialFlags = (mode: number) =>
  ((mode & 0o4000) >> 5) | ((mode & 0o2000) >> 3) | ((mode & 0o1000) >> 1)

/** Extents of a file or folder, each as a length and a block (ECMA-167, 4/14.14.1). */
function extents(location: number, size: number): Buffer {
  const count = Math.ceil(size / EXTENT_BYTES)
  const bytes = Buffer.alloc(8 * count)
  for (let index = 0; index < count; index++) {
    const done = index * EXTENT_BYTES
    bytes.writeUInt32LE(Math.min(EXTENT_BYTES, size - done), 8 * index)
    bytes.writeUInt32LE(location - places.partition + done / SECTOR_BYTES, 8 * index + 4)
  }
  return bytes
}

/** The entry of a file or folder. */
export function fileEntry(
  kind: keyof typeof fileTypes,
  inode: Inode,
  location: number,
  size: number,
): Buffer {
  const { mode, modified } = inode
  const content = extents(location, size)
  const bytes = Buffer.alloc(ENTRY_BYTES + content.length)
  bytes.writeUInt16LE(4, 20)
  bytes.writeUInt16LE(1, 24)
  bytes[27] = fileTypes[kind]
  bytes.writeUInt16LE(specialFlags(mode), 34)
  bytes.writeUInt32LE(permissionsOf(mode), 44)
  // A folder is referred to by its parent and by each folder in it, but not by itself.
  bytes.writeUInt16LE(Math.min(0xffff, kind === 'folder' ? inode.links - 1 : inode.links), 48)
  bytes.writeBigUInt64LE(BigInt(size), 56)
  bytes.writeBigUInt64LE(BigInt(sectorsOf(size)), 64)
  for (const offset of [72, 84, 96]) writeTimestamp(bytes, offset, modified)
  bytes.writeUInt32LE(1, 108)
  writeIdentifier(bytes, 128, MAKER)
  bytes.writeBigUInt64LE(BigInt(uniqueIdOf(inode)), 160)
  bytes.writeUInt32LE(content.length, 172)
  bytes.set(content, ENTRY_BYTES)
  return sealed(bytes, 'fileEntry', entryBlock(inode))
}

const FOLDER = 0x02
const PARENT = 0x08

function fileIdentifier(name: Uint8Array, inode: Inode, characteristics: number, block: number): Buffer {
  const bytes = Buffer.alloc((IDENTIFIER_BYTES + name.length + 3) & ~3)
  bytes.writeUInt16LE(1, 16)
  bytes[18] = characteristics
  bytes[19] = name.length
  writeBlock(bytes, 20, entryBlock(inode), uniqueIdOf(inode))
  bytes.set(name, IDENTIFIER_BYTES)
  return sealed(bytes, 'fileIdentifier', block)
}

/** The identifiers of a folder's members, preceded by that of its parent. */
export function* fileIdentifiers({ folder, parent, members, location }: PlacedFolder): Generator<Buffer> {
  let position = (location - places.partition) * SECTOR_BYTES
  const next = (name: Uint8Array, inode: Inode, characteristics: number) => {
    const bytes = fileIdentifier(name, inode, characteristics, Math.floor(position / SECTOR_BYTES))
    position += bytes.length
    return bytes
  }
  yield next(Buffer.alloc(0), (parent?.folder ?? folder).inode, FOLDER | PARENT)
  for (const { node, identifier } of members) {
    yield next(compressed(identifier), node.inode, node.kind === 'folder' ? FOLDER : 0)
  }
}
