/** Pictures, fonts and media files of a book, which are numbered from 1 in its text. */
import { isDecodable } from '../../book/decodable.ts'
import { readFont } from './font.ts'

export interface Resource {
  mime: string
  /** File name suffix, without a dot. */
  suffix: string
  bytes: Buffer
}

const CONTAINER = 'CONT'
const CONTAINER_END = 'CONTBOUNDARY'
/** A picture in a container of high-resolution pictures. */
const LARGE_PICTURE = 'CRES'
const LARGE_PICTURE_HEADER_BYTES = 12
/** Placeholder in such a container for a picture without a high-resolution version. */
const NO_LARGE_PICTURE = 0xa0a0_a0a0

const SOUND = 'AUDI'
const FILM = 'VIDE'

/** Kinds by their first bytes. */
const SIGNATURES: readonly { starts: string; mime: string; suffix: string }[] = [
  { starts: '\xff\xd8', mime: 'image/jpeg', suffix: 'jpg' },
  { starts: '\x89PNG\r\n', mime: 'image/png', suffix: 'png' },
  { starts: 'GIF8', mime: 'image/gif', suffix: 'gif' },
  { starts: 'BM', mime: 'image/bmp', suffix: 'bmp' },
  { starts: 'OTTO', mime: 'font/otf', suffix: 'otf' },
  { starts: '\0\x01\0\0', mime: 'font/ttf', suffix: 'ttf' },
  { starts: 'true', mime: 'font/ttf', suffix: 'ttf' },
  { starts: 'wOFF', mime: 'font/woff', suffix: 'woff' },
  { starts: 'wOF2', mime: 'font/woff2', suffix: 'woff2' },
]

/**
 * Reads resources on demand.
 * @param first number of the record of the first resource
 */
export class Resources {
  readonly #records: readonly Buffer[]
  readonly #first: number
  readonly #large: ReadonlyMap<number, Buffer>
  /** Numbers of pictures that cannot be decoded. */
  readonly #broken = new Set<number>()

  constructor(records: readonly Buffer[], first: number | undefined) {
    this.#records = records
    this.#first = first ?? records.length
    this.#large = largePictures(records)
  }

  /** Leaves out pictures that cannot be decoded. */
  async dropBroken(): Promise<void> {
    for (let number = 1; number <= this.#records.length - this.#first; number++) {
      const found = this.read(number)
      if (found && !(await isDecodable(found.bytes, found.mime))) this.#broken.add(number)
    }
  }

  /** The resource with a number, from 1; undefined if there is none or it cannot be read. */
  read(number: number): Resource | undefined {
    const record = this.#records[this.#first + number - 1]
    if (number < 1 || !record || this.#broken.has(number)) return undefined
    const large = this.#large.get(number)
    const better = large && typed(large)
    if (better?.mime.startsWith('image/')) return better
    try {
      return typed(unwrapped(record))
    } catch {
      return undefined
    }
  }
}

const magicOf = (record: Buffer) => record.toString('latin1', 0, 4)

function unwrapped(record: Buffer): Buffer {
  const magic = magicOf(record)
  if (magic === 'FONT') return readFont(record)
  if (magic === SOUND || magic === FILM) return record.subarray(record.readUInt32BE(4))
  return record
}

function typed(bytes: Buffer): Resource | undefined {
  const head = bytes.toString('latin1', 0, 16)
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP')
    return { mime: 'image/webp', suffix: 'webp', bytes }
  if (head.slice(4, 8) === 'ftyp') {
    const sound = head.slice(8, 11) === 'M4A'
    return sound ? { mime: 'audio/mp4', suffix: 'm4a', bytes } : { mime: 'video/mp4', suffix: 'mp4', bytes }
  }
  if (head.startsWith('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2))
    return { mime: 'audio/mpeg', suffix: 'mp3', bytes }
  const known = SIGNATURES.find(({ starts }) => head.startsWith(starts))
  return known && { mime: known.mime, suffix: known.suffix, bytes }
}

/** High-resolution pictures by the number of the ordinary picture that each replaces. */
function largePictures(records: readonly Buffer[]): Map<number, Buffer> {
  const large = new Map<number, Buffer>()
  let number: number | undefined
  for (const record of records) {
    const magic = magicOf(record)
    if (magic === CONTAINER)
      number = record.toString('latin1', 0, CONTAINER_END.length) === CONTAINER_END ? undefined : 0
    else if (number === undefined) continue
    else if (magic === LARGE_PICTURE) large.set(++number, record.subarray(LARGE_PICTURE_HEADER_BYTES))
    else if (record.length >= 4 && record.readUInt32BE(0) === NO_LARGE_PICTURE) number++
  }
  return large
}
