import { PIXEL_LIMIT } from '../../common/limits.ts'
import { sharp } from './load.ts'

/** Pixels to check along each edge, at most. */
const PROBE_EDGE = 1024

/** Whether a picture of floating-point samples has some below 0 or above 1, the range from black to white. */
export async function exceedsRange(file: Uint8Array): Promise<boolean> {
  try {
    const picture = sharp(file, { limitInputPixels: PIXEL_LIMIT })
    const { depth, space, width, height } = await picture.metadata()
    if (depth !== 'float') return false
    const size = { width: Math.min(PROBE_EDGE, width), height: Math.min(PROBE_EDGE, height) }
    const { buffer, byteOffset, length } = await picture
      .resize({ ...size, fit: 'fill', kernel: 'nearest' })
      .pipelineColourspace(space)
      .toColourspace(space)
      .raw({ depth: 'float' })
      .toBuffer()
    return new Float32Array(buffer, byteOffset, length / 4).some(value => value < 0 || value > 1)
  } catch {
    // Not every picture that ImageMagick reads can be read here.
    return false
  }
}
