/**
 * AVIF pictures that sharp alone would get wrong: libheif ignores the code points of colours, and with them their range if they
 * specify nothing else, does not expand monochrome samples of limited range, with black at 16 and white at 235, and does not
 * rotate transparency with the colours.
 */

import { PIXEL_LIMIT } from '../../common/limits.ts'
import { profileOf } from '../formats/code-points.ts'
import { readItems } from '../heif/items.ts'
import { alphaOf } from '../heif/picture.ts'
import { colourOf, isMonochrome, masteringOf, transformsOf } from '../heif/properties.ts'
import { orientedExif, streamOf } from '../metadata/exif.ts'
import type { Pixels } from '../pixels.ts'
import { sharpFailure } from '../sharp/failure.ts'
import { type Sharp, sharp } from '../sharp/load.ts'
import type { Encoded } from '../sharp/picture.ts'
import { contentsOf, fileOf } from './items-write.ts'

/** Corrections needed by the samples that sharp reads. */
interface Colour {
  /** Whether their range, from black to white, must be expanded to full range. */
  limitedGrey: boolean
  /** Profiles that represent the file's code points, for samples in RGB and in grey. */
  profile: Uint8Array | undefined
  greyProfile: Uint8Array | undefined
}

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
  const ranged = withMatrix(content) ?? content
  const file = withTurnedAlpha(ranged) ?? ranged
  const encoded = file === content ? origin : file
  const colour = colourIn(file)
  if (!colour) return { encoded }
  try {
    const picture = sharp(encoded, { limitInputPixels: PIXEL_LIMIT })
    const { depth, hasAlpha, space, exif, xmp } = await picture.metadata()
    const highBitDepth = depth !== 'uchar'
    // sharp writes raw grey without its alpha.
    const grey = !hasAlpha && (space === 'b-w' || space === 'grey16')
    const samples = picture.toColourspace(
      grey ? (highBitDepth ? 'grey16' : 'b-w') : highBitDepth ? 'rgb16' : 'srgb',
    )
    const { data, info } = await (colour.limitedGrey ? stretched(samples, highBitDepth) : samples)
      .raw({ depth: highBitDepth ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const icc = grey ? colour.greyProfile : colour.profile
    return {
      data: highBitDepth ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data,
      width: info.width,
      height: info.height,
      channels: info.channels as 1 | 3 | 4,
      ...(icc && { icc, ownProfile: false }),
      ...(exif && { exif: orientedExif(streamOf(exif), 1) }),
      ...(xmp && { xmp }),
    }
  } catch (error) {
    throw sharpFailure(error)
  }
}

/**
 * A copy of the file whose transparency is turned, mirrored and cut as its colours are. libavif up to version 1.3 stated that for the
 * colours alone, and libheif would change only these. Undefined if it needs none.
 */
function withTurnedAlpha(file: Uint8Array): Buffer | undefined {
  try {
    const items = readItems(file)
    const alpha = alphaOf(items)
    const moves = items.primary.properties.filter(({ type }) => ['clap', 'imir', 'irot'].includes(type))
    if (!alpha || moves.length === 0 || transformsOf(alpha).length > 0) return undefined
    alpha.properties.push(...moves)
    return fileOf(contentsOf(items))
  } catch {
    return undefined
  }
}

/** Matrix of BT.601, which all readers take for one that is not specified. */
const USUAL_MATRIX = 6

/**
 * A copy of the file in which code points that only specify the range have a matrix as well, since libheif would take the range from
 * the AV1 stream; older versions of SVT-AV1 write a wrong one there. Undefined if there are none.
 */
function withMatrix(file: Uint8Array): Uint8Array | undefined {
  try {
    const boxes = [...readItems(file).all.values()]
      .flatMap(({ properties }) => properties)
      .filter(({ type, body }) => type === 'colr' && Buffer.from(body.subarray(0, 10)).equals(UNSPECIFIED))
    if (boxes.length === 0) return undefined
    const copy = new Uint8Array(file)
    for (const { body } of boxes) copy[body.byteOffset - file.byteOffset + 9] = USUAL_MATRIX
    return copy
  } catch {
    return undefined
  }
}

/** `nclx` and three times 2, "unspecified" (ISO/IEC 23091-2). */
const UNSPECIFIED = Buffer.from('nclx\0\x02\0\x02\0\x02', 'latin1')

function stretched(samples: Sharp, highBitDepth: boolean): Sharp {
  // Black and white in limited range with 8 bits; more bits only add steps in between.
  const [black, white, full] = highBitDepth ? [16 << 8, 235 << 8, 65_535] : [16, 235, 255]
  const factor = full / (white - black)
  return samples.linear(factor, -black * factor)
}

/**
 * From the first picture's `colr` boxes and its `monochrome` bit in `av1C`; an embedded profile overrides code points.
 */
function colourIn(file: Uint8Array): Colour | undefined {
  try {
    const { primary, all } = readItems(file)
    const coded = all.get(primary.references.get('dimg')?.[0] ?? primary.id) ?? primary
    const [own, inner] = [colourOf(primary), colourOf(coded)]
    const codePoints = own.codePoints ?? inner.codePoints
    if (!codePoints) return undefined
    const mastering = { ...masteringOf(coded), ...masteringOf(primary) }
    const named = !own.icc && !inner.icc
    const profile = named ? profileOf(codePoints, mastering) : undefined
    const greyProfile = named ? profileOf(codePoints, { ...mastering, grey: true }) : undefined
    const limitedGrey = !codePoints.fullRange && isMonochrome(coded)
    return limitedGrey || profile ? { limitedGrey, profile, greyProfile } : undefined
  } catch {
    return undefined
  }
}
