/** OpenEXR from ffmpeg, which holds light beyond white. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { megapixels } from '../../common/limits.ts'
import type { Size } from '../../common/rectangle.ts'
import { encodeFrames } from '../../media/ffmpeg/frames.ts'
import { prepare } from '../sharp/encode.ts'
import { asFarAsReadable, type Picture } from '../sharp/picture.ts'

/** Samples of 32 bits are held at once. */
const PIXEL_LIMIT = 100_000_000

/** ffmpeg's planes, by the channel of red, green, blue and opacity that each holds. */
const PLANES = [1, 2, 0, 3]

/**
 * Writes the linear light of a picture in half floats.
 * @throws JobFailure too_large, corrupt_input, and what running ffmpeg throws
 */
export async function writeExr(
  picture: Picture,
  size: Size | undefined,
  path: string,
  onDamage: () => void,
): Promise<void> {
  const { width, height } = size ?? picture
  const limit = { megapixels: megapixels(PIXEL_LIMIT) }
  if (width * height > PIXEL_LIMIT)
    throw new JobFailure('jobs.too_large', message('picture.result_too_large', limit))
  const settings = { smart: null, keepsProfile: false, light: true, size }
  const read = (lenient: boolean) =>
    prepare(picture, 'tiff', settings, lenient).raw({ depth: 'float' }).toBuffer({ resolveWithObject: true })
  const { data, info } = await asFarAsReadable(picture, read, onDamage)
  const light = new Float32Array(data.buffer, data.byteOffset, data.length / 4)
  const { channels } = info
  function* planes() {
    for (const channel of PLANES.slice(0, channels)) {
      const plane = new Float32Array(width * height)
      for (let to = 0, from = 0; to < plane.length; to++, from += channels)
        // Colours are held multiplied by their opacity.
        plane[to] = light[from + channel]! * (channels === 4 && channel < 3 ? light[from + 3]! : 1)
      // Rounded to the 10 bits of a half's mantissa: ffmpeg cuts off what is beyond.
      const bits = new Uint32Array(plane.buffer)
      for (let at = 0; at < bits.length; at++) bits[at] = (bits[at]! + 0x1000) & ~0x1fff
      yield Buffer.from(plane.buffer)
    }
  }
  const video = { width, height, pixelFormat: channels === 4 ? 'gbrapf32le' : 'gbrpf32le', fps: 25 }
  const coding = ['-c:v', 'exr', '-format', 'half', '-compression', 'zip16']
  const options = [...coding, '-frames:v', '1', '-update', '1', '-f', 'image2']
  await encodeFrames({ video, output: path, options }, planes())
}
