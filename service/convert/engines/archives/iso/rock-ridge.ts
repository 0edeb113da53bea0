/**
 * Rock Ridge 1.12: POSIX names, permissions, times and symbolic links in the records of the primary tree. The fields follow
 * IEEE P1282 (draft 1.12) and the System Use Sharing Protocol, IEEE P1281 (draft 1.12).
 */
import { typeAndMode } from '../model.ts'
import { both32, DATE_BYTES, writeDate, zeroed } from './fields.ts'
import type { Inode, Node } from './tree.ts'

/** Maximum size of a field in bytes. */
const FIELD_BYTES = 255
const HEADER_BYTES = 4

function field(signature: string, content: Uint8Array): Buffer {
  const bytes = zeroed(HEADER_BYTES + content.length)
  bytes.write(signature, 'latin1')
  bytes[2] = bytes.length
  bytes[3] = 1
  bytes.set(content, HEADER_BYTES)
  return bytes
}

/** SP comes first in the root's first record: no bytes are skipped before the fields of other records. */
export const sharing = field('SP', Buffer.from([0xbe, 0xef, 0]))

const IDENTIFIER = 'IEEE_P1282'
const DESCRIPTION = 'THE IEEE P1282 PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS.'
const SOURCE =
  'PLEASE CONTACT THE IEEE STANDARDS DEPARTMENT, PISCATAWAY, NJ, USA FOR THE P1282 SPECIFICATION.'

/** ER names the protocol; it is also part of the root's first record. */
export const extension = field(
  'ER',
  Buffer.concat([
    Buffer.from([IDENTIFIER.length, DESCRIPTION.length, SOURCE.length, 1]),
    Buffer.from(IDENTIFIER + DESCRIPTION + SOURCE, 'latin1'),
  ]),
)

/** CE: the fields continue elsewhere. */
export function continuation(sector: number, offset: number, length: number): Buffer {
  const content = zeroed(24)
  both32(content, 0, sector)
  both32(content, 8, offset)
  both32(content, 16, length)
  return field('CE', content)
}

/** Bytes of a CE field. */
export const CONTINUATION_BYTES = 28

/** PX: kind, permissions, number of names, owner (root, since owners in archives mean nothing elsewhere), serial number. */
function attributes(kind: Node['kind'], { mode, links, serial }: Inode): Buffer {
  const content = zeroed(40)
  both32(content, 0, typeAndMode({ kind, mode }))
  both32(content, 8, links)
  both32(content, 32, serial)
  return field('PX', content)
}

/** Modification, access and attribute change: archives store one time, and readers replace missing ones with the current time. */
const TIMES = 0x02 | 0x04 | 0x08

/** TF. */
function times({ modified }: Inode): Buffer {
  const content = zeroed(1 + 3 * DATE_BYTES)
  content[0] = TIMES
  for (const index of [0, 1, 2]) writeDate(content, 1 + index * DATE_BYTES, modified)
  return field('TF', content)
}

/** The field continues in another one of its kind. */
const CONTINUES = 1

/** NM: the name, in as many fields as necessary. */
function nameFields(name: string): Buffer[] {
  const room = FIELD_BYTES - HEADER_BYTES - 1
  const bytes = Buffer.from(name)
  const fields: Buffer[] = []
  for (let start = 0; start === 0 || start < bytes.length; start += room) {
    const part = bytes.subarray(start, start + room)
    const flags = start + room < bytes.length ? CONTINUES : 0
    fields.push(field('NM', Buffer.concat([Buffer.from([flags]), part])))
  }
  return fields
}

/** Flags of a link's components: a part that continues, `.`, `..` and `/`. */
const COMPONENT = { part: 0, continues: 1, here: 2, above: 4, root: 8 } as const

const COMPONENT_HEADER_BYTES = 2

function* linkComponents(target: string): Generator<{ flag: number; bytes: Buffer }> {
  const none = Buffer.alloc(0)
  if (target.startsWith('/')) yield { flag: COMPONENT.root, bytes: none }
  for (const part of target.split('/')) {
    if (part === '') continue
    if (part === '.') yield { flag: COMPONENT.here, bytes: none }
    else if (part === '..') yield { flag: COMPONENT.above, bytes: none }
    else yield { flag: COMPONENT.part, bytes: Buffer.from(part) }
  }
}

/**
 * SL: the target of a symbolic link, in as many fields as necessary. A part of its path is split at the end of a field,
 * since libarchive joins what is on both sides of it into one part.
 */
function linkFields(target: string): Buffer[] {
  const groups: Buffer[][] = [[]]
  let room = FIELD_BYTES - HEADER_BYTES - 1
  const add = (flag: number, bytes: Uint8Array) => {
    groups.at(-1)?.push(Buffer.concat([Buffer.from([flag, bytes.length]), bytes]))
    room -= COMPONENT_HEADER_BYTES + bytes.length
  }
  for (const { flag, bytes } of linkComponents(target)) {
    let rest = bytes
    while (COMPONENT_HEADER_BYTES + rest.length > room) {
      const taken = room - COMPONENT_HEADER_BYTES
      if (taken > 0) {
        add(COMPONENT.continues, rest.subarray(0, taken))
        rest = rest.subarray(taken)
      }
      groups.push([])
      room = FIELD_BYTES - HEADER_BYTES - 1
    }
    add(flag, rest)
  }
  return groups.map((components, index) =>
    field('SL', Buffer.concat([Buffer.from([index < groups.length - 1 ? CONTINUES : 0]), ...components])),
  )
}

/** The fields of a folder's records for itself and its parent. */
export const folderFields = (inode: Inode): Buffer[] => [attributes('folder', inode), times(inode)]

/** The fields of a member of a folder. */
export function memberFields(node: Node): Buffer[] {
  return [
    attributes(node.kind, node.inode),
    times(node.inode),
    ...nameFields(node.name),
    ...(node.kind === 'symlink' ? linkFields(node.target) : []),
  ]
}
