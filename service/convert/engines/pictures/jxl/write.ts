/** JPEG XL from ffmpeg's libjxl, which takes a fraction of the time of ImageMagick. */
import { encodeFrames } from '../../media/ffmpeg/frames.ts'
import { ffmpeg } from '../../media/ffmpeg/locate.ts'
import type { Pixels, Rows } from '../pixels.ts'

/** Whether the ffmpeg that was found writes JPEG XL. */
export const isJxlWritten = async (): Promise<boolean> =>
  (await ffmpeg().catch(() => undefined))?.encoders.has('libjxl') ?? false

/** At equal structural similarity, a photo has no more bytes than with the usual effort of 7, after half the time. */
const EFFORT = '5'

/** The distance of libjxl for a quality of 1 to 100, as `JxlEncoderDistanceFromQuality` has it; ffmpeg takes up to 15. */
function distanceOf(quality: number): number {
  if (quality >= 100) return 0
  const rough = (53 / 3000) * quality ** 2 - (23 / 20) * quality + 25
  return Math.min(15, quality >= 30 ? 0.1 + (100 - quality) * 0.09 : rough)
}

/** Code points of sRGB. */
const SRGB = { primaries: 1, transfer: 13 }

/** Writes sRGB pixels of 8 bits, or HDR of 16, to a file, without metadata; a quality of 100 keeps every pixel. */
export async function writeJxl(
  { data, width, height, channels }: Rows,
  quality: number,
  path: string,
  hdr?: Pixels['hdr'],
): Promise<void> {
  const [opaque, clear] = hdr ? ['rgb48', 'rgba64'] : ['rgb24', 'rgba']
  const { primaries, transfer } = hdr ?? SRGB
  await encodeFrames(
    {
      video: { width, height, pixelFormat: channels === 4 ? clear : opaque, fps: 25 },
      output: path,
      options: [
        ...['-c:v', 'libjxl', '-effort', EFFORT, '-distance', String(distanceOf(quality))],
        ...['-modular', quality >= 100 ? '1' : '0'],
        ...['-frames:v', '1', '-update', '1', '-f', 'image2'],
        ...['-color_primaries', String(primaries), '-color_trc', String(transfer)],
      ],
    },
    [data],
  )
}
