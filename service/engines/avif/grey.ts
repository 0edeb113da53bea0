/**
 * Monochrome AVIF in limited range: libheif does not expand its samples, black at 16 and white at 235, so that the
 * picture would come out pale.
 */
import { readFile } from 'node:fs/promises'
import { orientedExif } from '../formats/exif.ts'
import { readItems } from '../heif/items.ts'
import { colourOf } from '../heif/properties.ts'
import { PIXEL_LIMIT } from '../limits.ts'
import type { Pixels } from '../pixels.ts'
import { sharpFailure } from '../sharp/failure.ts'
import { sharp } from '../sharp/load.ts'

/**
 * The picture in a monochrome AVIF file in limited range, its samples stretched to the full one; undefined for any
 * other file, also for one too damaged to tell.
 * @throws JobFailure corrupt_input, too_large
 */
export async function readLimitedGrey(path: string): Promise<Pixels | undefined> {
  if (!isLimitedGrey(await readFile(path))) return undefined
  try {
    const picture = sharp(path, { limitInputPixels: PIXEL_LIMIT })
    const { depth, hasAlpha, exif, xmp } = await picture.metadata()
    const deep = depth !== 'uchar'
    // Black and white of limited range, in 8 bits; more bits only add steps in between.
    const [black, white, full] = deep ? [16 << 8, 235 << 8, 65_535] : [16, 235, 255]
    const factor = full / (white - black)
    // sharp writes raw grey without its alpha.
    const space = hasAlpha ? (deep ? 'rgb16' : 'srgb') : deep ? 'grey16' : 'b-w'
    const { data, info } = await picture
      .toColourspace(space)
      .linear(factor, -black * factor)
      .raw({ depth: deep ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return {
      data: deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data,
      width: info.width,
      height: info.height,
      channels: info.channels as 1 | 4,
      ...(exif && { exif: orientedExif(exif.subarray(EXIF_PREFIX), 1) }),
      ...(xmp && { xmp }),
    }
  } catch (error) {
    throw sharpFailure(error)
  }
}

/** `Exif\0\0`, which libvips puts before the block. */
const EXIF_PREFIX = 6

/** By the first picture's `colr` box and its `monochrome` bit in `av1C` (AV1 Codec ISO Media File Format Binding, 2.3). */
function isLimitedGrey(file: Uint8Array): boolean {
  try {
    const { primary, all } = readItems(file)
    const coded = all.get(primary.references.get('dimg')?.[0] ?? primary.id) ?? primary
    const codePoints = colourOf(primary).codePoints ?? colourOf(coded).codePoints
    const setup = coded.properties.find(({ type }) => type === 'av1C')
    return codePoints?.fullRange === false && setup !== undefined && ((setup.body[2] ?? 0) & 0x10) !== 0
  } catch {
    return false
  }
}
