import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { encodeFrames } from '../../media/ffmpeg/frames.ts'
import { ffmpeg } from '../../media/ffmpeg/locate.ts'
import type { Animation } from '../pixels.ts'

export interface WebmEncoding {
  /** Path of the file to write. */
  output: string
  /** Frames per second; WebM files made here have a constant rate, so the animation's delays are ignored. */
  fps: number
  /** 1 (smallest) to 100 (best). */
  quality: number
  /** No loss except halving the chroma resolution, which VP9 needs to carry alpha. */
  lossless?: boolean
  /** Whether no pixel of any frame is transparent, so that no alpha is stored. */
  opaque?: boolean
  onProgress?: (fraction: number) => void
}

/** VP9 encodes frames of up to 65536 pixels a side, but decoders stop at 16384. */
const MAX_SIDE = 16_384

/**
 * Encodes an animation as WebM: VP9 with straight alpha (the second stream of `BlockAdditions`), BT.709.
 * @throws JobFailure `jobs.too_large`, `jobs.engine_missing`, or what ffmpeg's run throws
 */
export async function encodeWebm(animation: Animation, encoding: WebmEncoding): Promise<void> {
  const { width, height, frameCount, frames } = animation
  const { output, fps, quality, lossless = false, opaque = false, onProgress } = encoding
  if (Math.max(width, height) > MAX_SIDE) {
    throw new JobFailure('jobs.too_large', message('webm.edge_too_long', { limit: MAX_SIDE }))
  }
  if (!(await ffmpeg()).encoders.has('libvpx-vp9')) {
    throw new JobFailure('jobs.engine_missing', message('webm.encoder_missing'))
  }
  const scale =
    'scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp:out_color_matrix=bt709:out_range=limited'
  await encodeFrames(
    {
      video: { width, height, pixelFormat: 'rgba', fps },
      output,
      options: [
        ...['-vf', `${scale},format=${opaque ? 'yuv420p' : 'yuva420p'}`],
        // Alternate reference frames cannot carry alpha.
        ...['-c:v', 'libvpx-vp9', '-b:v', '0', ...(opaque ? [] : ['-auto-alt-ref', '0'])],
        ...(lossless ? ['-lossless', '1'] : ['-crf', String(Math.round(((100 - quality) * 63) / 100))]),
        ...['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1'],
        ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'iec61966-2-1'],
        ...['-color_range', 'tv', '-f', 'webm'],
      ],
      frameCount,
    },
    frames,
    { onProgress: ({ fraction }) => onProgress?.(fraction ?? 0) },
  )
}
