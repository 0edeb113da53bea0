/**
 * AVIF pictures that sharp alone would get wrong: libheif ignores the code points of colours, and with them their range if they
 * specify nothing else, does not expand monochrome samples of limited range, with black at 16 and white at 235, and does not
 * rotate transparency with the colours.
 */

import { PIXEL_LIMIT } from '../../common/limits.ts'
import { namedColours } from '../formats/code-points.ts'
import { readItems } from '../heif/items.ts'
import { alphaOf, describe, type HeifPicture } from '../heif/picture.ts'
import { isMonochrome, transformsOf } from '../heif/properties.ts'
import { orientedExif, streamOf } from '../metadata/exif.ts'
import type { Pixels } from '../pixels.ts'
import { sharpFailure } from '../sharp/failure.ts'
import { type Sharp, sharp } from '../sharp/load.ts'
import type { Encoded } from '../sharp/picture.ts'
import { samplesOf } from '../sharp/samples.ts'
import { contentsOf, fileOf } from './items-write.ts'

/**
 * The picture in an AVIF file that is monochrome in limited range, whose code points specify a wide gamut or HDR, or
 * whose transparency must be rotated with its colours; any other file, including one that is too damaged, as libheif reads it well.
 * @param origin the file, or its path
 * @throws JobFailure corrupt_input, too_large
 */
export async function readStill(
  content: Uint8Array,
  origin: Encoded['encoded'] = content,
): Promise<Pixels | Encoded> {
  const stated = completed(content)
  const encoded = stated ?? origin
  const picture = needy(stated ?? content)
  if (!picture) return { encoded }
  try {
    const read = sharp(encoded, { limitInputPixels: PIXEL_LIMIT })
    const { depth, hasAlpha, space, exif, xmp } = await read.metadata()
    const highBitDepth = depth !== 'uchar'
    // sharp writes raw grey without its alpha.
    const grey = !hasAlpha && (space === 'b-w' || space === 'grey16')
    const samples = read.toColourspace(
      grey ? (highBitDepth ? 'grey16' : 'b-w') : highBitDepth ? 'rgb16' : 'srgb',
    )
    return {
      ...(await samplesOf(isLimitedGrey(picture) ? stretched(samples, highBitDepth) : samples, highBitDepth)),
      ...namedColours(picture, grey),
      ...(exif && { exif: orientedExif(streamOf(exif), 1) }),
      ...(xmp && { xmp }),
    }
  } catch (error) {
    throw sharpFailure(error)
  }
}

/** `nclx` and three times 2, "unspecified" (ISO/IEC 23091-2). */
const UNSPECIFIED = Buffer.from('nclx\0\x02\0\x02\0\x02', 'latin1')

/** The same with the matrix of BT.601, which all readers take for one that is not specified. */
const USUAL = Buffer.from('nclx\0\x02\0\x02\0\x06', 'latin1')

/**
 * A copy of the file that states what libheif needs, undefined if nothing is missing: code points that only specify the range get a
 * matrix as well, since libheif would take the range from the AV1 stream, where older versions of SVT-AV1 write a wrong one, and
 * transparency is turned, mirrored and cut as its colours are, which libavif up to version 1.3 stated for the colours alone.
 */
function completed(file: Uint8Array): Buffer | undefined {
  try {
    const items = readItems(file)
    const vague = [...items.all.values()]
      .flatMap(({ properties }) => properties)
      .filter(({ type, body }) => type === 'colr' && body.subarray(0, 10).equals(UNSPECIFIED))
    for (const box of vague) box.body = Buffer.concat([USUAL, box.body.subarray(10)])
    const alpha = alphaOf(items)
    const moves = items.primary.properties.filter(({ type }) => ['clap', 'imir', 'irot'].includes(type))
    const isMoved = alpha && moves.length > 0 && transformsOf(alpha).length === 0
    if (isMoved) alpha.properties.push(...moves)
    return isMoved || vague.length > 0 ? fileOf(contentsOf(items)) : undefined
  } catch {
    return undefined
  }
}

function stretched(samples: Sharp, highBitDepth: boolean): Sharp {
  // Black and white in limited range with 8 bits; more bits only add steps in between.
  const [black, white, full] = highBitDepth ? [16 << 8, 235 << 8, 65_535] : [16, 235, 255]
  const factor = full / (white - black)
  return samples.linear(factor, -black * factor)
}

/** Whether the range of samples, from black to white, must be expanded to the full one. */
const isLimitedGrey = ({ codePoints, tiles }: HeifPicture) =>
  codePoints?.fullRange === false && isMonochrome(tiles[0]!)

/** The picture in a file, if its samples need more than sharp does with them. */
function needy(file: Uint8Array): HeifPicture | undefined {
  try {
    const picture = describe(readItems(file))
    return isLimitedGrey(picture) || namedColours(picture).icc ? picture : undefined
  } catch {
    return undefined
  }
}
