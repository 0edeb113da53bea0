/** Volume descriptors (ECMA-119, 8), which describe an image and locate its trees. */
import { both16, both32, SECTOR_BYTES, ucs2 } from './fields.ts'
import type { PlacedFolder } from './hierarchy.ts'
import { allowed } from './names.ts'
import { type Kind, rootRecord } from './records.ts'

/** Sector of the first descriptor. */
export const FIRST_DESCRIPTOR = 16

const IDENTIFIER = 'CD001'

/** Escape sequence for Joliet names at level 3: UCS-2. */
const JOLIET_ESCAPE = '%/E'

const APPLICATION = 'REFILE'

interface Volume {
  label: string
  date: Date
  /** Sectors of the image. */
  sectors: number
  /** Bytes of one path table. */
  pathTableBytes: number
  /** First sectors of the path tables of type L and M. */
  pathTables: readonly [l: number, m: number]
  root: PlacedFolder
}

/** A date of 17 bytes: digits down to hundredths of a second, UTC. */
function digits(date: Date): string {
  const year = Math.min(9999, Math.max(1, date.getUTCFullYear()))
  const parts = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    Math.floor(date.getUTCMilliseconds() / 10),
  ]
  return [String(year).padStart(4, '0'), ...parts.map(part => String(part).padStart(2, '0'))].join('')
}

/** The descriptor of one tree. */
export function volumeDescriptor(kind: Kind, volume: Volume): Buffer {
  const bytes = Buffer.alloc(SECTOR_BYTES)
  const joliet = kind === 'joliet'
  const text = (value: string, offset: number, length: number) => {
    const stored = joliet
      ? ucs2(value.slice(0, length >> 1).padEnd(length >> 1, ' '))
      : Buffer.from(value.slice(0, length).padEnd(length, ' '), 'latin1')
    bytes.set(stored, offset)
  }
  const dates = [digits(volume.date), digits(volume.date), '0'.repeat(16), '0'.repeat(16)]

  bytes[0] = joliet ? 2 : 1
  bytes.write(IDENTIFIER, 1, 'latin1')
  bytes[6] = 1
  text('', 8, 32)
  text(joliet ? volume.label.toWellFormed() : allowed(volume.label).slice(0, 32), 40, 32)
  both32(bytes, 80, volume.sectors)
  if (joliet) bytes.write(JOLIET_ESCAPE, 88, 'latin1')
  both16(bytes, 120, 1)
  both16(bytes, 124, 1)
  both16(bytes, 128, SECTOR_BYTES)
  both32(bytes, 132, volume.pathTableBytes)
  bytes.writeUInt32LE(volume.pathTables[0], 140)
  bytes.writeUInt32BE(volume.pathTables[1], 148)
  bytes.set(rootRecord(volume.root), 156)
  for (const offset of [190, 318, 446]) text('', offset, 128)
  text(APPLICATION, 574, 128)
  for (const offset of [702, 739, 776]) text('', offset, 37)
  for (const [index, date] of dates.entries()) bytes.write(date, 813 + 17 * index, 'latin1')
  bytes[881] = 1
  return bytes
}

/** The descriptor that ends the set. */
export function terminator(): Buffer {
  const bytes = Buffer.alloc(SECTOR_BYTES)
  bytes[0] = 255
  bytes.write(IDENTIFIER, 1, 'latin1')
  bytes[6] = 1
  return bytes
}
