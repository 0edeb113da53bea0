/**
 * Reads pages of TIFF files in CIELAB. libvips assumes D65, where TIFF writers mean D50 (TIFF 6.0, section 23, as
 * Photoshop and libtiff read it), and does not know the ICC encoding (Adobe Photoshop TIFF Technical Notes, 2002).
 */
import { JobFailure } from '../../../../shared/errors.ts'
import { PIXEL_LIMIT } from '../../common/limits.ts'
import { labToSrgb } from '../formats/lab.ts'
import type { TiffDirectory } from '../formats/tiff-directories.ts'
import type { Pixels } from '../pixels.ts'
import { sharpFailure } from './failure.ts'
import { sharp } from './load.ts'
import { samplesOf } from './samples.ts'

/** Values of PhotometricInterpretation. */
const RGB = 2
const CIE_LAB = 8
const ICC_LAB = 9

export const isLab = ({ photometric }: TiffDirectory): boolean =>
  photometric === CIE_LAB || photometric === ICC_LAB

/**
 * Decodes a page to sRGB, before rotation.
 * @param file with this page alone; it is modified
 * @throws JobFailure corrupt_input, too_large; unsupported_input for sample sizes other than 8 and 16 bits
 */
export async function readLabPage(file: Buffer, directory: TiffDirectory): Promise<Pixels> {
  // Declared as RGB, the samples are decoded without conversion.
  const little = file[0] === 0x49
  file[directory.photometricAt] = little ? RGB : 0
  file[directory.photometricAt + 1] = little ? 0 : RGB
  try {
    const picture = sharp(file, { limitInputPixels: PIXEL_LIMIT })
    const { depth, channels, orientation, xmp } = await picture.metadata()
    const highBitDepth = depth === 'ushort'
    if ((depth !== 'uchar' && !highBitDepth) || (channels !== 3 && channels !== 4))
      throw new JobFailure('jobs.unsupported_input')
    const pixels = await samplesOf(picture.toColourspace(highBitDepth ? 'rgb16' : 'srgb'), highBitDepth)
    unify(pixels.data, channels, directory.photometric)
    labToSrgb(pixels.data, channels)
    return {
      ...pixels,
      ...(orientation && { orientation }),
      ...(xmp && { xmp }),
    }
  } catch (error) {
    throw sharpFailure(error)
  }
}

/** Normalises both encodings: L over the whole range, a and b around the middle. */
function unify(samples: Uint8Array | Uint16Array, step: number, photometric: number): void {
  const highBitDepth = samples instanceof Uint16Array
  if (photometric === CIE_LAB) {
    // a and b are signed there.
    const sign = highBitDepth ? 0x8000 : 0x80
    for (let at = 0; at < samples.length; at += step) {
      samples[at + 1] = samples[at + 1]! ^ sign
      samples[at + 2] = samples[at + 2]! ^ sign
    }
  } else if (highBitDepth) {
    // 100 is 0xff00 in 16 bits of ICC.
    for (let at = 0; at < samples.length; at += step)
      samples[at] = Math.min(65_535, (samples[at]! * 65_535) / 0xff00)
  }
}
