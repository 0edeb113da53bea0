/** What WOFF and WOFF2 have in common: the length of the file, and blocks of metadata and private data behind the tables. */
import { damagedFont, type FontData } from './data.ts'
import { checkUnpacked, type Font } from './font.ts'
import { padded } from './sfnt.ts'

interface Tables {
  /** Offset of the fields in the header that say where the blocks are. */
  fields: number
  /** Where the tables end, without padding. */
  end: number
  unpack: Unpack
}

/** Unpacks to exactly that many bytes. @throws JobFailure corrupt_input */
type Unpack = (packed: Uint8Array, length: number) => Uint8Array

/** @param inflate a function of zlib */
export const exactly =
  (inflate: (packed: Uint8Array, options: { maxOutputLength: number }) => Buffer): Unpack =>
  (packed, length) => {
    let unpacked: Buffer
    try {
      unpacked = inflate(packed, { maxOutputLength: Math.max(1, length) })
    } catch (cause) {
      throw damagedFont(cause)
    }
    if (unpacked.length !== length) throw damagedFont()
    return unpacked
  }

/**
 * Reads the blocks behind the tables. As both specifications require, each begins at the next multiple of four, nothing follows the
 * last one, and metadata that cannot be read does not make the font invalid.
 * @throws JobFailure corrupt_input
 */
export function readBlocks(data: FontData, { fields, end, unpack }: Tables): Partial<Font> {
  if (data.u32(8) !== data.length) throw damagedFont()
  const [metaStart, metaPacked, metaLength] = [data.u32(fields), data.u32(fields + 4), data.u32(fields + 8)]
  const [privateStart, privateLength] = [data.u32(fields + 12), data.u32(fields + 16)]
  let last = end
  const block = (start: number, length: number): Uint8Array => {
    if (start !== padded(last)) throw damagedFont()
    last = start + length
    return data.slice(start, length)
  }
  const metadata = metaStart > 0 ? block(metaStart, metaPacked) : undefined
  const privateData = privateStart > 0 ? block(privateStart, privateLength) : undefined
  if (padded(last) !== padded(data.length)) throw damagedFont()
  return { ...unpackedMetadata(metadata, metaLength, unpack), privateData }
}

function unpackedMetadata(packed: Uint8Array | undefined, length: number, unpack: Unpack): Partial<Font> {
  if (!packed) return {}
  try {
    checkUnpacked(length)
    return { metadata: unpack(packed, length) }
  } catch {
    return { unreadableMetadata: true }
  }
}
