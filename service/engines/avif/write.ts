import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { JobFailure } from '../../errors.ts'
import { encodeFrames } from '../ffmpeg/frames.ts'
import { ffmpeg } from '../ffmpeg/locate.ts'
import type { StagedFrames } from '../sharp/animation.ts'
import { readMoov, readTracks } from './boxes.ts'

export interface AvifAnimationSettings {
  /** 1–100, with the same meaning as for still AVIF. */
  quality: number
  lossless: boolean
  delays: readonly number[]
  loop: number
}

/** Longest expression passed to ffmpeg; Windows allows 32,767 characters for the whole command line. */
const EXPRESSION_LIMIT = 20_000

/**
 * Start of frame N in milliseconds, as an ffmpeg expression: runs of equal delays are straight lines, found by
 * halving. With too many different delays the average serves for all.
 */
export function timing(delays: readonly number[]): string {
  const runs: { first: number; start: number; delay: number }[] = []
  let start = 0
  for (const [first, delay] of delays.entries()) {
    if (runs.at(-1)?.delay !== delay) runs.push({ first, start, delay })
    start += delay
  }
  const tree = (from: number, to: number): string => {
    const middle = (from + to + 1) >> 1
    const run = runs[from] as (typeof runs)[number]
    if (from === to) return `${run.start}+(N-${run.first})*${run.delay}`
    return `if(lt(N,${runs[middle]?.first}),${tree(from, middle - 1)},${tree(middle, to)})`
  }
  const exact = tree(0, runs.length - 1)
  return exact.length <= EXPRESSION_LIMIT ? exact : `N*${start / delays.length}`
}

/** Quality 1–100 on AV1's scale of 63, worst, to 0, as libheif maps it for still pictures. */
const quantizer = (quality: number) => Math.round(((100 - quality) * 63) / 100)

/**
 * Writes frames as animated AVIF: an AV1 track for the colours and, where there is transparency, one for it.
 * @throws JobFailure engine_missing when ffmpeg lacks an AV1 encoder, and what running it throws
 */
export async function writeAvifAnimation(
  staged: StagedFrames,
  path: string,
  settings: AvifAnimationSettings,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
): Promise<void> {
  const { encoders, version } = await ffmpeg()
  if (!encoders.has('libaom-av1')) {
    throw new JobFailure(
      'jobs.engine_missing',
      'Animated AVIF needs an ffmpeg with the encoder libaom-av1. Install one, or set REFILE_FFMPEG to its path.',
    )
  }
  const { width, height, opaque, frameCount } = staged
  const colour = settings.lossless
    ? 'format=gbrp'
    : 'scale=out_color_matrix=bt601:out_range=full:flags=accurate_rnd+full_chroma_int,format=yuv420p'
  const timed = `[0:v]setpts='${timing(settings.delays)}'`
  const graph = opaque
    ? `${timed},${colour}[c]`
    : `${timed},split[a][b];[a]${colour}[c];[b]alphaextract,format=gray[m]`
  const quality = settings.lossless
    ? ['-aom-params', 'lossless=1', '-crf', '0']
    : ['-crf', String(quantizer(settings.quality))]
  await encodeFrames(
    {
      video: { width, height, pixelFormat: 'rgba', fps: 1000 },
      output: path,
      frameCount,
      options: [
        ...['-filter_complex', graph, '-map', '[c]', ...(opaque ? [] : ['-map', '[m]'])],
        ...['-c:v', 'libaom-av1', '-cpu-used', '8', '-row-mt', '1', '-b:v', '0', ...quality],
        ...['-fps_mode', 'passthrough', '-color_range', 'pc', '-color_primaries', 'bt709'],
        ...['-color_trc', 'iec61966-2-1', '-colorspace:v:0', settings.lossless ? 'rgb' : 'smpte170m'],
        // Older muxers leave the count out, and players then repeat for ever.
        ...(Number.parseInt(version, 10) >= 6 ? ['-loop', String(settings.loop)] : []),
        ...['-f', 'avif'],
      ],
    },
    frames(staged),
    { ...(signal ? { signal } : {}), onProgress: progress => onProgress?.(progress.fraction ?? 0) },
  )
  await setLastDelay(path, settings.delays.at(-1) ?? 100)
}

/** ffmpeg gives the last frame the shortest duration it can express, whatever its delay; this sets it right. */
async function setLastDelay(path: string, delay: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const moov = await readMoov(file)
    if (!moov) return
    for (const { lastEntry, timescale } of readTracks(moov.content, { start: 0, end: moov.content.length })) {
      // An entry for several samples is not the last frame's own.
      if (moov.content.readUInt32BE(lastEntry) !== 1) continue
      const duration = Buffer.alloc(4)
      duration.writeUInt32BE(Math.round((delay * timescale) / 1000))
      await file.write(duration, 0, 4, moov.offset + lastEntry + 4)
    }
  } finally {
    await file.close()
  }
}

/** The staged frames in pieces; ffmpeg finds their borders by their size. */
function frames({ path, offset, width, height, frameCount }: StagedFrames): AsyncIterable<Uint8Array> {
  const end = offset + width * height * 4 * frameCount - 1
  return createReadStream(path, { start: offset, end, highWaterMark: 1 << 18 })
}
