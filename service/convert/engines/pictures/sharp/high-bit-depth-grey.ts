/** 16-bit grey pictures with a profile, which libvips passes on unchanged instead of applying it. */
import { signalOf } from '../../common/srgb.ts'
import { greyCurveOf } from '../formats/icc.ts'
import { streamOf } from '../metadata/exif.ts'
import type { Pixels } from '../pixels.ts'
import type { Metadata, Sharp } from './load.ts'
import { samplesOf } from './samples.ts'

/**
 * The picture with its profile applied, in the grey of sRGB, before rotation.
 * @param open starts a pipeline that yields the picture as it is stored
 */
export async function showHighBitDepthGrey(
  open: () => Sharp,
  metadata: Metadata,
): Promise<Pixels | { encoded: Uint8Array }> {
  const { icc, hasAlpha, exif, xmp, orientation } = metadata
  const curve = icc && greyCurveOf(icc)
  // With 8 bits libvips applies any profile.
  if (!curve) {
    const shallow = open().keepMetadata().toColourspace('b-w').png({ compressionLevel: 1 })
    return { encoded: await shallow.toBuffer() }
  }
  // sharp writes raw grey without its alpha.
  const stored = await samplesOf(open().toColourspace(hasAlpha ? 'rgb16' : 'grey16'), true)
  const { data: samples, width, height, channels } = stored
  const step = hasAlpha ? 2 : 1
  const grey = new Uint16Array(width * height * step)
  const light = Uint16Array.from({ length: 65_536 }, (_, signal) => {
    const shown = signalOf(Math.min(1, Math.max(0, curve(signal / 65_535))))
    return Math.round(shown * 65_535)
  })
  for (let from = 0, to = 0; to < grey.length; from += channels, to += step) {
    grey[to] = light[samples[from]!]!
    if (hasAlpha) grey[to + 1] = samples[from + channels - 1]!
  }
  return {
    data: grey,
    width,
    height,
    channels: step,
    ...(exif && { exif: streamOf(exif) }),
    ...(xmp && { xmp }),
    ...(orientation && { orientation }),
  }
}
