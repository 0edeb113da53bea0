/** EXIF blocks: TIFF streams of descriptive tags (CIPA DC-008), read from untrusted files and rewritten. */
import { directoryBytes, type IfdEntry, TiffWriter, typeBytes } from './tiff.ts'

const ORIENTATION = 0x0112
const EXIF_DIRECTORY = 0x8769
const GPS_DIRECTORY = 0x8825

/** How many entries of a directory are read, and the largest value that is kept, in bytes. */
const ENTRY_LIMIT = 512
const VALUE_LIMIT = 65_536

interface PlacedEntry extends IfdEntry {
  /** Where the value is in the file. */
  offset: number
}

type Directory = Map<number, PlacedEntry>

interface Tiff {
  littleEndian: boolean
  first: number
  view: DataView
  bytes: Uint8Array
}

function openTiff(bytes: Uint8Array): Tiff | undefined {
  if (bytes.length < 8) return undefined
  const order = String.fromCharCode(bytes[0]!, bytes[1]!)
  if (order !== 'II' && order !== 'MM') return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const littleEndian = order === 'II'
  return { littleEndian, first: view.getUint32(4, littleEndian), view, bytes }
}

/** Reads a directory, except for entries that are damaged or larger than anything descriptive. */
function readDirectory({ view, bytes, littleEndian }: Tiff, at: number): Directory {
  const directory: Directory = new Map()
  if (at < 8 || at + 2 > bytes.length) return directory
  const count = Math.min(ENTRY_LIMIT, view.getUint16(at, littleEndian))
  for (let index = 0; index < count; index++) {
    const entry = at + 2 + 12 * index
    if (entry + 12 > bytes.length) break
    const tag = view.getUint16(entry, littleEndian)
    const type = view.getUint16(entry + 2, littleEndian)
    const values = view.getUint32(entry + 4, littleEndian)
    const size = typeBytes(type) * values
    if (size === 0 || size > VALUE_LIMIT) continue
    const offset = size <= 4 ? entry + 8 : view.getUint32(entry + 8, littleEndian)
    if (offset + size > bytes.length || directory.has(tag)) continue
    directory.set(tag, { tag, type, count: values, value: bytes.subarray(offset, offset + size), offset })
  }
  return directory
}

function pointer(tiff: Tiff, directory: Directory, tag: number): number {
  const entry = directory.get(tag)
  return entry && entry.value.length >= 4 ? tiff.view.getUint32(entry.offset, tiff.littleEndian) : 0
}

/** The orientation that a block states, 1–8; 1 if it states none. */
export function exifOrientation(exif: Uint8Array): number {
  const tiff = openTiff(exif)
  return tiff ? statedIn(readDirectory(tiff, tiff.first), tiff) : 1
}

function statedIn(directory: Directory, { view, littleEndian }: Tiff): number {
  const entry = directory.get(ORIENTATION)
  const orientation = entry?.type === 3 ? view.getUint16(entry.offset, littleEndian) : 1
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}

/**
 * The same block with this orientation (1–8). A block without that tag is rewritten, without its maker notes; a damaged
 * one is returned unchanged.
 */
export function orientedExif(exif: Uint8Array, orientation: number): Uint8Array {
  const oriented = exif.slice()
  const tiff = openTiff(oriented)
  const entry = tiff && readDirectory(tiff, tiff.first).get(ORIENTATION)
  if (!tiff || (entry && entry.type !== 3)) return exif
  if (entry) {
    tiff.view.setUint16(entry.offset, orientation, tiff.littleEndian)
    return oriented
  }
  const written = orientation === 1 ? undefined : describeExif({ main: exif })
  return written ? orientedExif(written.exif, orientation) : exif
}

/** Tags of the first directory that describe the picture rather than how it is stored. */
const DESCRIPTIVE = new Set([0x010d, 0x010e, 0x010f, 0x0110, 0x0131, 0x0132, 0x013b, 0x013c, 0x8298])

/**
 * Tags of the EXIF directory that are not copied: maker notes, whose internal pointers would break, pointers, and the
 * size of the undeveloped picture.
 */
const SKIPPED_TAGS = new Set([0x927c, 0xa005, 0xa002, 0xa003, 0xea1c])

/** Streams that contain the descriptive directories; the same one if a file has them all in one place. */
export interface ExifSources {
  main: Uint8Array
  /** Offset of the first directory in `main`, if not as in its header. */
  at?: number
  exif?: Uint8Array | undefined
  gps?: Uint8Array | undefined
}

export interface ExifDescription {
  /** A block that declares the rows as upright. */
  exif: Uint8Array
  /** The orientation in the file itself, 1–8. */
  orientation: number
}

/**
 * A new EXIF block with what a camera file says about its picture. Without `exif` and `gps`, the directories are
 * searched in `main`; undefined if there is nothing in it.
 */
export function describeExif({ main, at, exif, gps }: ExifSources): ExifDescription | undefined {
  const tiff = openTiff(main)
  if (!tiff) return undefined
  const first = readDirectory(tiff, at ?? tiff.first)
  const part = (stream: Uint8Array | undefined, tag: number): Directory => {
    const own = stream && openTiff(stream)
    // Values are copied unchanged, so all of them must have the same byte order.
    if (own) return own.littleEndian === tiff.littleEndian ? readDirectory(own, own.first) : new Map()
    return readDirectory(tiff, pointer(tiff, first, tag))
  }
  const kept = (directory: Directory, keep: (tag: number) => boolean) =>
    [...directory.values()].filter(({ tag }) => keep(tag))
  const descriptive = kept(first, tag => DESCRIPTIVE.has(tag))
  const exposure = kept(part(exif, EXIF_DIRECTORY), tag => !SKIPPED_TAGS.has(tag))
  const place = kept(part(gps, GPS_DIRECTORY), tag => tag <= 0x1f)
  if (descriptive.length + exposure.length + place.length === 0) return undefined
  return {
    exif: writeExif(tiff.littleEndian, descriptive, exposure, place),
    orientation: statedIn(first, tiff),
  }
}

function writeExif(
  littleEndian: boolean,
  first: readonly IfdEntry[],
  exif: readonly IfdEntry[],
  gps: readonly IfdEntry[],
): Uint8Array {
  const writer = new TiffWriter(littleEndian)
  const main = [...first, writer.entry(ORIENTATION, 3, 1)]
  const pointers = [exif, gps].filter(entries => entries.length > 0).length
  const start = 8
  const exifAt = start + directoryBytes(main) + 12 * pointers
  const gpsAt = exifAt + (exif.length > 0 ? directoryBytes(exif) : 0)
  if (exif.length > 0) main.push(writer.entry(EXIF_DIRECTORY, 4, exifAt))
  if (gps.length > 0) main.push(writer.entry(GPS_DIRECTORY, 4, gpsAt))
  return Buffer.concat([
    writer.header(start),
    writer.directory(main, start),
    ...(exif.length > 0 ? [writer.directory(exif, exifAt)] : []),
    ...(gps.length > 0 ? [writer.directory(gps, gpsAt)] : []),
  ])
}
