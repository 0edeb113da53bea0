/** EXIF blocks: TIFF streams of descriptive tags (CIPA DC-008), read from untrusted files and rewritten. */
import type { FileFacts } from '../../../../shared/file-facts.ts'
import { type IfdEntry, swapped, TiffWriter, typeBytes } from '../formats/tiff.ts'

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

/** The entries of a directory as they are stored: a value of more than four bytes is given by its offset. */
function* storedEntries({ view, bytes, littleEndian }: Tiff, at: number): Generator<PlacedEntry> {
  if (at < 8 || at + 2 > bytes.length) return
  const count = Math.min(ENTRY_LIMIT, view.getUint16(at, littleEndian))
  for (let entry = at + 2; entry < at + 2 + 12 * count && entry + 12 <= bytes.length; entry += 12) {
    const [tag, type] = [view.getUint16(entry, littleEndian), view.getUint16(entry + 2, littleEndian)]
    const values = view.getUint32(entry + 4, littleEndian)
    yield { tag, type, count: values, value: bytes.subarray(entry + 8, entry + 12), offset: entry + 8 }
  }
}

/** Reads a directory, except for entries that are damaged or larger than anything descriptive. */
function readDirectory(tiff: Tiff, at: number): Directory {
  const { view, bytes, littleEndian } = tiff
  const directory: Directory = new Map()
  for (const stored of storedEntries(tiff, at)) {
    const size = typeBytes(stored.type) * stored.count
    if (size === 0 || size > VALUE_LIMIT || directory.has(stored.tag)) continue
    const offset = size <= 4 ? stored.offset : view.getUint32(stored.offset, littleEndian)
    if (offset + size > bytes.length) continue
    directory.set(stored.tag, { ...stored, value: bytes.subarray(offset, offset + size), offset })
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

/** The same block with this orientation (1–8); a damaged one is returned unchanged. */
export function orientedExif(exif: Uint8Array, orientation: number): Uint8Array {
  if (exifOrientation(exif) === orientation) return exif
  const entry = new TiffWriter(exif[0] === INTEL).entry(ORIENTATION, 3, orientation)
  return withTags(exif, { first: [entry] }) ?? exif
}

/** The first byte of a block that is little-endian. */
const INTEL = 0x49

/** A block without any tag. */
export const emptyExif = (littleEndian = true): Buffer =>
  Buffer.concat([new TiffWriter(littleEndian).header(), Buffer.alloc(6)])

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

/** What a stream says about its picture; undefined if it is no TIFF. */
function descriptiveParts({ main, at, exif, gps }: ExifSources) {
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
  return {
    tiff,
    orientation: statedIn(first, tiff),
    first: kept(first, tag => DESCRIPTIVE.has(tag)),
    exposure: kept(part(exif, EXIF_DIRECTORY), tag => !SKIPPED_TAGS.has(tag)),
    place: kept(part(gps, GPS_DIRECTORY), tag => tag <= 0x1f),
  }
}

/**
 * A new EXIF block with what a camera file says about its picture. Without `exif` and `gps`, the directories are
 * searched in `main`; undefined if there is nothing in it.
 */
export function describeExif(sources: ExifSources): ExifDescription | undefined {
  const parts = descriptiveParts(sources)
  if (!parts || parts.first.length + parts.exposure.length + parts.place.length === 0) return undefined
  const { tiff, orientation, first, exposure, place } = parts
  const upright = new TiffWriter(tiff.littleEndian).entry(ORIENTATION, 3, 1)
  const block = withTags(emptyExif(tiff.littleEndian), { first: [...first, upright], exposure, place })
  return block && { exif: block, orientation }
}

/** What a block is to say; entries in the byte order of the block. */
interface Changes {
  first?: readonly IfdEntry[]
  exposure?: readonly IfdEntry[]
  place?: readonly IfdEntry[]
  /** Tags that it loses. */
  dropped?: readonly number[]
  /** Whether it says no longer where the picture was taken. */
  isPlaceless?: boolean
}

/**
 * A TIFF stream with other entries: directories are written anew at its end, and everything else stays where it is, since maker notes
 * refer to it. Old values are blanked. Undefined if it is no TIFF.
 */
export function withTags(
  stream: Uint8Array,
  { first = [], exposure = [], place = [], dropped: lost = [], isPlaceless }: Changes,
): Buffer | undefined {
  const bytes = Buffer.concat([stream, Buffer.alloc(stream.length & 1)])
  const tiff = openTiff(bytes)
  if (tiff?.view.getUint16(2, tiff.littleEndian) !== 42) return undefined
  const writer = new TiffWriter(tiff.littleEndian)
  const parts: Buffer[] = [bytes]
  let end = bytes.length
  const rewrite = (at: number, entries: readonly IfdEntry[], dropped: readonly number[] = []): number => {
    const old = readDirectory(tiff, at)
    const replaced = [...entries.map(({ tag }) => tag), ...dropped]
    const kept = [...storedEntries(tiff, at)]
      .filter(({ tag }) => !replaced.includes(tag))
      .map(entry => ({ ...entry, value: Buffer.from(entry.value) }))
    const after = at + 2 + 12 * (at < 8 ? 0 : tiff.view.getUint16(at, tiff.littleEndian))
    const next = at >= 8 && after + 4 <= bytes.length ? tiff.view.getUint32(after, tiff.littleEndian) : 0
    for (const tag of replaced) old.get(tag)?.value.fill(0)
    const directory = writer.directory([...kept, ...entries], end, next)
    parts.push(directory)
    end += directory.length
    return end - directory.length
  }
  const main = readDirectory(tiff, tiff.first)
  const pointers = [
    { tag: EXIF_DIRECTORY, entries: exposure, dropped: lost },
    { tag: GPS_DIRECTORY, entries: place, dropped: [] },
  ].filter(({ entries }) => entries.length > 0)
  if (isPlaceless)
    for (const { value } of readDirectory(tiff, pointer(tiff, main, GPS_DIRECTORY)).values()) value.fill(0)
  const below = pointers.map(({ tag, entries, dropped }) =>
    writer.entry(tag, 4, rewrite(pointer(tiff, main, tag), entries, dropped)),
  )
  const at = rewrite(tiff.first, [...first, ...below], [...lost, ...(isPlaceless ? [GPS_DIRECTORY] : [])])
  bytes.set(writer.numbers(4, at), 4)
  return Buffer.concat(parts)
}

/** The descriptive entries of a block, in another byte order if needed. */
export function entriesOf(exif: Uint8Array, littleEndian: boolean): Changes {
  const { tiff, first = [], exposure = [], place = [] } = descriptiveParts({ main: exif }) ?? {}
  const ordered = (entries: readonly IfdEntry[]) =>
    tiff?.littleEndian === littleEndian ? entries : entries.map(swapped)
  return { first: ordered(first), exposure: ordered(exposure), place: ordered(place) }
}

/** Whether a block has the directory that says where the picture was taken. */
export function hasPlaceTags(exif: Uint8Array): boolean {
  const tiff = openTiff(exif)
  return tiff !== undefined && readDirectory(tiff, tiff.first).has(GPS_DIRECTORY)
}

/** What a person knows a picture by. */
export type PictureOrigin = Pick<FileFacts, 'camera' | 'place' | 'taken'>

const [MAKE, MODEL, TAKEN, LATITUDE, LONGITUDE] = [0x010f, 0x0110, 0x9003, 2, 4]

/** The maker note of EXIF, and the entries in Apple's that say how bright HDR is. */
const [MAKER_NOTE, HEADROOM, GAIN] = [0x927c, 0x21, 0x30]

/** How much brighter than white a photo of an iPhone becomes on HDR screens, as Apple has it computed; undefined if its EXIF does not say. */
export function appleHeadroom(exif: Uint8Array): number | undefined {
  const tiff = openTiff(exif)
  const exposure = tiff && readDirectory(tiff, pointer(tiff, readDirectory(tiff, tiff.first), EXIF_DIRECTORY))
  const bytes = exposure?.get(MAKER_NOTE)?.value
  if (!bytes || !Buffer.from(bytes).toString('latin1').startsWith('Apple iOS\0')) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const note = readDirectory({ littleEndian: false, first: 14, view, bytes }, 14)
  const [headroom, gain] = [HEADROOM, GAIN].map(tag => {
    const entry = note.get(tag)
    return entry?.type === 10 ? view.getInt32(entry.offset) / view.getInt32(entry.offset + 4) : Number.NaN
  }) as [number, number]
  if (!Number.isFinite(headroom + gain)) return undefined
  const [steep, flat] =
    headroom < 1 ? [-20 * gain + 1.8, -0.101 * gain + 1.601] : [-70 * gain + 3, -0.303 * gain + 2303 / 1000]
  return 2 ** Math.max(0, gain <= 0.01 ? steep : flat)
}

/** The stream in what libvips reads: of some formats, `Exif\0\0` stands before it. */
export const streamOf = (exif: Buffer): Buffer =>
  exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif

/** Camera, date and place as a block has them. */
export function originOf(exif: Uint8Array): PictureOrigin {
  const { tiff, first = [], exposure = [], place = [] } = descriptiveParts({ main: exif }) ?? {}
  if (!tiff) return {}
  const find = (entries: readonly IfdEntry[], wanted: number) => entries.find(({ tag }) => tag === wanted)
  const words = (entry: IfdEntry | undefined) =>
    entry?.type === 2 ? Buffer.from(entry.value).toString().split('\0')[0]!.trim() : ''
  const [make, model] = [words(find(first, MAKE)), words(find(first, MODEL))]
  const degrees = (tag: number) => {
    const entry = find(place, tag)
    if (entry?.type !== 5 || entry.count !== 3) return Number.NaN
    const view = new DataView(entry.value.buffer, entry.value.byteOffset, 24)
    const part = (at: number) =>
      view.getUint32(at, tiff.littleEndian) / (view.getUint32(at + 4, tiff.littleEndian) || 1)
    const sign = /[SW]/.test(words(find(place, tag - 1))) ? -1 : 1
    return sign * (part(0) + part(8) / 60 + part(16) / 3600)
  }
  const [latitude, longitude] = [degrees(LATITUDE), degrees(LONGITUDE)]
  const [, date, time] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)/.exec(words(find(exposure, TAKEN))) ?? []
  return {
    // Most models begin with the name of their maker.
    ...(model && { camera: model.startsWith(make.split(' ')[0]!) ? model : `${make} ${model}` }),
    ...(date && { taken: `${date.replaceAll(':', '-')}T${time}` }),
    ...(Number.isFinite(latitude + longitude) && {
      place: `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`,
    }),
  }
}
