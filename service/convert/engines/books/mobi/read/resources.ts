/** Pictures, fonts and media files of a book, which are numbered from 1 in its text. */
import { isDecodable } from '../../book/decodable.ts'
import { readFont } from './font.ts'

export interface Resource {
  mime: string
  bytes: Buffer
}

const CONTAINER = 'CONT'
const CONTAINER_END = 'CONTBOUNDARY'
/** A picture in a container of high-resolution pictures. */
const LARGE_PICTURE = 'CRES'
const LARGE_PICTURE_HEADER_BYTES = 12
/** Placeholder in such a container for a picture without a high-resolution version. */
const NO_LARGE_PICTURE = 0xa0a0_a0a0

/** Kinds by their first bytes. */
const SIGNATURES: readonly [pattern: RegExp, mime: string][] = [
  [/^\xff\xd8/, 'image/jpeg'],
  [/^\x89PNG\r\n/, 'image/png'],
  [/^GIF8/, 'image/gif'],
  [/^BM/, 'image/bmp'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^OTTO/, 'font/otf'],
  [/^(?:\0[^\0]\0\0|true)/, 'font/ttf'],
  [/^.{4}ftypM4A/s, 'audio/mp4'],
  [/^.{4}ftyp/s, 'video/mp4'],
  [/^(?:ID3|\xff[\xe2\xe3\xea\xeb\xf2\xf3\xfa\xfb])/, 'audio/mpeg'],
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
  if (magic === 'AUDI' || magic === 'VIDE') return record.subarray(record.readUInt32BE(4))
  return record
}

function typed(bytes: Buffer): Resource | undefined {
  const head = bytes.toString('latin1', 0, 16)
  const mime = SIGNATURES.find(([pattern]) => pattern.test(head))?.[1]
  return mime === undefined ? undefined : { mime, bytes }
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
