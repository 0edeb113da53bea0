/** JPEG XL from ffmpeg's libjxl, which takes a fraction of the time of ImageMagick. */
import { encodeFrames } from '../../media/ffmpeg/frames.ts'
import { ffmpeg } from '../../media/ffmpeg/locate.ts'

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

/** Writes sRGB pixels of 8 bits to a file, without metadata; a quality of 100 keeps every pixel. */
export async function writeJxl(
  { data, width, height, channels }: { data: Uint8Array; width: number; height: number; channels: 3 | 4 },
  quality: number,
  path: string,
): Promise<void> {
  await encodeFrames(
    {
      video: { width, height, pixelFormat: channels === 4 ? 'rgba' : 'rgb24', fps: 25 },
      output: path,
      options: [
        ...['-c:v', 'libjxl', '-effort', EFFORT, '-distance', String(distanceOf(quality))],
        ...['-modular', quality >= 100 ? '1' : '0'],
        ...['-frames:v', '1', '-update', '1', '-f', 'image2', '-color_primaries', 'bt709'],
        ...['-color_trc', 'iec61966-2-1'],
      ],
    },
    [data],
  )
}
