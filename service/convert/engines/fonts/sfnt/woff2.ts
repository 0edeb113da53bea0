/** WOFF File Format 2.0 (https://www.w3.org/TR/WOFF2/), by Google's code as WebAssembly. */
import { compress, decompress } from 'woff2-encoder'
import { damagedFont, FontData } from './data.ts'
import { checkUnpacked, type Font } from './font.ts'
import { readCollection, readSfnt, writeSfnt } from './sfnt.ts'

/** The largest font that the decoder unpacks. */
const UNPACKED_LIMIT = 30 * 2 ** 20

/** All faces of a file; only a collection has several. @throws JobFailure corrupt_input, too_large */
export async function readWoff2(bytes: Uint8Array): Promise<Font[]> {
  checkUnpacked(new FontData(bytes).u32(16), UNPACKED_LIMIT)
  const sfnt = await orDamaged(decompress(bytes))
  return new FontData(sfnt).tag(0) === 'ttcf' ? readCollection(sfnt) : [readSfnt(sfnt)]
}

/** Writes a font without its signature, which would be invalid. @throws JobFailure corrupt_input */
export const writeWoff2 = (font: Font): Promise<Uint8Array> => orDamaged(compress(writeSfnt(font)))

async function orDamaged(result: Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await result
  } catch (cause) {
    throw damagedFont(cause)
  }
}
