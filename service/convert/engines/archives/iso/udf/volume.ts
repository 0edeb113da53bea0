/** UDF volume structure, located between the ISO 9660 descriptors and the partition. */
import { SECTOR_BYTES } from '../fields.ts'
import {
  MAKER,
  REVISION,
  sealed,
  TAG_BYTES,
  writeBlock,
  writeCharset,
  writeIdentifier,
  writeText,
  writeTimestamp,
} from './tag.ts'

/** Sectors of the parts of the volume structure. The anchor's sector is fixed by the standard; the others are those of DVDs. */
export const places = {
  recognition: 19,
  main: 32,
  reserve: 48,
  integrity: 64,
  anchor: 256,
  partition: 257,
} as const

const SEQUENCE_SECTORS = 16
const DESCRIPTOR_BYTES = 512

/** Blocks of the partition: the file set, the terminator of its sequence, and the root's entry. */
export const FILE_SET_BLOCK = 0
export const FIRST_ENTRY_BLOCK = 2

export interface UdfVolume {
  label: string
  date: Date
  /** Sectors of the partition. */
  partitionSectors: number
  files: number
  folders: number
  /** Greater than the number of any file or folder. */
  nextUniqueId: number
}

const descriptor = (bytes = DESCRIPTOR_BYTES) => Buffer.alloc(bytes)

/** Writes a length in bytes and a sector (ECMA-167, 3/7.1). */
function writeExtent(bytes: Buffer, offset: number, sectors: number, location: number): void {
  bytes.writeUInt32LE(sectors * SECTOR_BYTES, offset)
  bytes.writeUInt32LE(location, offset + 4)
}

/** The three sectors that announce UDF (ECMA-167, 2/9.1). */
export function recognition(): Buffer[] {
  return ['BEA01', 'NSR02', 'TEA01'].map(identifier => {
    const bytes = Buffer.alloc(SECTOR_BYTES)
    bytes.write(identifier, 1, 'latin1')
    bytes[6] = 1
    return bytes
  })
}

function primary({ label, date }: UdfVolume): Buffer {
  const bytes = descriptor()
  writeText(bytes, 24, 32, label)
  bytes.writeUInt16LE(1, 56)
  bytes.writeUInt16LE(1, 58)
  bytes.writeUInt16LE(2, 60)
  bytes.writeUInt16LE(2, 62)
  bytes.writeUInt32LE(1, 64)
  bytes.writeUInt32LE(1, 68)
  // The first 16 characters should differ between volumes, so they contain the time.
  writeText(bytes, 72, 128, `${date.getTime().toString(16).padStart(16, '0')}${label}`)
  writeCharset(bytes, 200)
  writeCharset(bytes, 264)
  writeIdentifier(bytes, 344, MAKER)
  writeTimestamp(bytes, 376, date)
  writeIdentifier(bytes, 388, MAKER)
  return bytes
}

function implementation({ label }: UdfVolume): Buffer {
  const bytes = descriptor()
  writeIdentifier(bytes, 20, '*UDF LV Info')
  writeCharset(bytes, 52)
  writeText(bytes, 116, 128, label)
  writeIdentifier(bytes, 352, MAKER)
  return bytes
}

function partition({ partitionSectors }: UdfVolume): Buffer {
  const bytes = descriptor()
  bytes.writeUInt16LE(1, 20)
  bytes[24] = 2
  writeIdentifier(bytes, 24, '+NSR02')
  // Read only.
  bytes.writeUInt32LE(1, 184)
  bytes.writeUInt32LE(places.partition, 188)
  bytes.writeUInt32LE(partitionSectors, 192)
  writeIdentifier(bytes, 196, MAKER)
  return bytes
}

const DOMAIN = '*OSTA UDF Compliant'

function logical({ label }: UdfVolume): Buffer {
  const bytes = descriptor(446)
  writeCharset(bytes, 20)
  writeText(bytes, 84, 128, label)
  bytes.writeUInt32LE(SECTOR_BYTES, 212)
  writeIdentifier(bytes, 216, DOMAIN)
  writeBlock(bytes, 248, FILE_SET_BLOCK)
  bytes.writeUInt32LE(6, 264)
  bytes.writeUInt32LE(1, 268)
  writeIdentifier(bytes, 272, MAKER)
  writeExtent(bytes, 432, 2, places.integrity)
  bytes.set([1, 6, 1, 0, 0, 0], 440)
  return bytes
}

const unallocated = () => descriptor(24)

/** The volume descriptors; their two copies differ only in the location they contain. */
function sequence(volume: UdfVolume, location: number): Buffer[] {
  const descriptors = [
    ['primary', primary(volume)],
    ['implementation', implementation(volume)],
    ['partition', partition(volume)],
    ['logical', logical(volume)],
    ['unallocated', unallocated()],
  ] as const
  const sectors = descriptors.map(([tag, bytes], index) => {
    bytes.writeUInt32LE(index, TAG_BYTES)
    return sealed(bytes, tag, location + index)
  })
  return [...sectors, sealed(descriptor(), 'terminating', location + sectors.length)]
}

function integrity(volume: UdfVolume): Buffer[] {
  const bytes = descriptor(134)
  writeTimestamp(bytes, 16, volume.date)
  // Closed: the volume was written completely.
  bytes.writeUInt32LE(1, 28)
  bytes.writeBigUInt64LE(BigInt(volume.nextUniqueId), 40)
  bytes.writeUInt32LE(1, 72)
  bytes.writeUInt32LE(46, 76)
  bytes.writeUInt32LE(volume.partitionSectors, 84)
  writeIdentifier(bytes, 88, MAKER)
  bytes.writeUInt32LE(volume.files, 120)
  bytes.writeUInt32LE(volume.folders, 124)
  for (const offset of [128, 130, 132]) bytes.writeUInt16LE(REVISION, offset)
  return [
    sealed(bytes, 'integrity', places.integrity),
    sealed(descriptor(), 'terminating', places.integrity + 1),
  ]
}

/** Locations of the descriptor sequences; repeated in the last sector of the image. */
export function anchor(location: number): Buffer {
  const bytes = descriptor()
  writeExtent(bytes, 16, SEQUENCE_SECTORS, places.main)
  writeExtent(bytes, 24, SEQUENCE_SECTORS, places.reserve)
  return sealed(bytes, 'anchor', location)
}

/** The file set, with the location of its root. */
function fileSet({ label, date }: UdfVolume): Buffer[] {
  const bytes = descriptor()
  writeTimestamp(bytes, 16, date)
  bytes.writeUInt16LE(3, 28)
  bytes.writeUInt16LE(3, 30)
  bytes.writeUInt32LE(1, 32)
  bytes.writeUInt32LE(1, 36)
  writeCharset(bytes, 48)
  writeText(bytes, 112, 128, label)
  writeCharset(bytes, 240)
  writeText(bytes, 304, 32, label)
  writeBlock(bytes, 400, FIRST_ENTRY_BLOCK)
  writeIdentifier(bytes, 416, DOMAIN)
  return [sealed(bytes, 'fileSet', FILE_SET_BLOCK), sealed(descriptor(), 'terminating', FILE_SET_BLOCK + 1)]
}

/** All descriptors up to the first entry in order, each with its sector. */
export function volumeStructure(volume: UdfVolume): (readonly [sector: number, bytes: Buffer])[] {
  const from = (sector: number, descriptors: readonly Buffer[]) =>
    descriptors.map((bytes, index) => [sector + index, bytes] as const)
  return [
    ...from(places.recognition, recognition()),
    ...from(places.main, sequence(volume, places.main)),
    ...from(places.reserve, sequence(volume, places.reserve)),
    ...from(places.integrity, integrity(volume)),
    ...from(places.anchor, [anchor(places.anchor)]),
    ...from(places.partition, fileSet(volume)),
  ]
}
