import { createReadStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { encodeFrames } from '../../media/ffmpeg/frames.ts'
import { ffmpeg } from '../../media/ffmpeg/locate.ts'
import type { StagedFrames } from '../sharp/animation.ts'
import { readIvf, withoutDelimiter } from './av1.ts'
import { type Coded, writeSequence } from './container-write.ts'

export interface AvifAnimationSettings {
  /** 1–100, with the same meaning as for still AVIF. */
  quality: number
  lossless: boolean
  /** Milliseconds each frame is shown. */
  delays: readonly number[]
  /** Number of times to play; 0 is endlessly. */
  loop: number
}

/** From this quality on, chroma keeps its full resolution. */
const FULL_CHROMA = 90

/** Quality 1–100 on AV1's scale from 63 (worst) to 0, as libheif maps it for still pictures. */
const quantizer = (quality: number) => Math.round(((100 - quality) * 63) / 100)

/**
 * Writes frames as animated AVIF: an AV1 track for the colours and, if there is transparency, one for alpha. ffmpeg
 * encodes both in one run; the container is written here, because ffmpeg loses the repeat count, the last frame's delay
 * and, when reading pictures from a pipe, all other delays.
 * @throws JobFailure engine_missing if ffmpeg lacks an AV1 encoder, and what running it throws
 */
export async function writeAvifAnimation(
  staged: StagedFrames,
  path: string,
  settings: AvifAnimationSettings,
  { onProgress }: { onProgress?: (fraction: number) => void } = {},
): Promise<void> {
  if (!(await ffmpeg()).encoders.has('libaom-av1')) {
    throw new JobFailure('jobs.engine_missing', message('avif.encoder_missing'))
  }
  const { width, height, frameCount, opaque } = staged
  const { delays, loop, lossless, quality } = settings
  const streams = { color: resolve(`${path}.color.ivf`), alpha: resolve(`${path}.alpha.ivf`) }
  const sampling = lossless || quality >= FULL_CHROMA ? 'yuv444p' : 'yuv420p'
  try {
    await encodeFrames(
      {
        // The streams carry no times of their own: one frame follows the other, and the container has the delays.
        video: { width, height, pixelFormat: 'rgba', fps: 25 },
        output: streams.color,
        options: outputs(opaque ? undefined : streams.alpha, sampling, settings),
        frameCount,
      },
      framesOf(staged),
      { onProgress: ({ fraction }) => onProgress?.(fraction ?? 0) },
    )
    const color: Coded = {
      samples: await samplesOf(streams.color, frameCount),
      sampling,
      matrix: lossless ? 0 : 6,
    }
    const alpha: Coded | undefined = opaque
      ? undefined
      : { samples: await samplesOf(streams.alpha, frameCount), sampling: 'gray', matrix: 2 }
    await writeFile(path, writeSequence({ width, height, delays: [...delays], loop, color, alpha }))
  } finally {
    await Promise.all(Object.values(streams).map(stream => rm(stream, { force: true })))
  }
}

const coding = (crf: number, lossless: boolean) => [
  ...['-c:v', 'libaom-av1', '-cpu-used', '6', '-row-mt', '1', '-g', '240', '-b:v', '0'],
  ...(lossless ? ['-crf', '0', '-aom-params', 'lossless=1'] : ['-crf', String(crf)]),
  ...['-color_range', 'pc', '-f', 'ivf'],
]

/** Options of the outputs: alpha, where there is any, into a file of its own, then colour into the run's output. */
function outputs(alphaPath: string | undefined, sampling: string, settings: AvifAnimationSettings): string[] {
  const { quality, lossless } = settings
  // Without full_chroma_inp the last column of an odd width takes its colour from beyond the row.
  const scale = 'scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp'
  const color = lossless ? 'format=gbrp' : `${scale}:out_color_matrix=bt601:out_range=full,format=${sampling}`
  // Errors of alpha show at every edge, so it gets more bits.
  const alphaCrf = Math.max(0, quantizer(quality) - 12)
  const graph = alphaPath
    ? `[0:v]split[a][b];[a]${color}[color];[b]alphaextract,format=gray[alpha]`
    : `[0:v]${color}[color]`
  return [
    ...['-filter_complex', graph],
    ...(alphaPath ? ['-map', '[alpha]', ...coding(alphaCrf, lossless), '-y', `file:${alphaPath}`] : []),
    ...['-map', '[color]', ...coding(quantizer(quality), lossless)],
    ...['-color_primaries', 'bt709', '-color_trc', 'iec61966-2-1'],
    ...['-colorspace', lossless ? 'rgb' : 'smpte170m'],
  ]
}

async function samplesOf(path: string, frameCount: number): Promise<Buffer[]> {
  const samples = [...readIvf(await readFile(path))].map(withoutDelimiter)
  if (samples.length !== frameCount) throw new JobFailure('jobs.engine_crashed')
  return samples
}

/** The staged frames in pieces; ffmpeg finds their borders by their size. */
function framesOf({ path, offset, width, height, frameCount }: StagedFrames): AsyncIterable<Uint8Array> {
  const end = offset + width * height * 4 * frameCount - 1
  return createReadStream(path, { start: offset, end, highWaterMark: 1 << 18 })
}
