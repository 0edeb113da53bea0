/** Raw frames piped into and out of ffmpeg. */
import { Readable } from 'node:stream'
import { outputOf, pieces } from './pipe.ts'
import { type Run, run } from './run.ts'

export interface RawVideo {
  width: number
  height: number
  /** ffmpeg's name of the pixel format, such as `rgba`. */
  pixelFormat: string
  /** Frames per second, possibly as a fraction like `30000/1001`. */
  fps: number | string
}

export interface Encoding {
  video: RawVideo
  /** Path of the file to write, whose suffix determines the container unless `options` has `-f`; null if it is not needed. */
  output: string | null
  /** Encoder options, such as `['-c:v', 'libvpx-vp9', '-crf', '30']`. */
  options: readonly string[]
  /** Number of frames, for progress. */
  frameCount?: number
}

/**
 * Encodes frames into `output`. Frames are drawn as fast as ffmpeg accepts them, so that only a few are in memory.
 * @param frames buffers of one whole picture each, rows from the top, without padding
 * @throws what `run` throws, or what `frames` throws
 */
export async function encodeFrames(
  { video, output, options, frameCount }: Encoding,
  frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: Pick<Run, 'onProgress' | 'seconds'> = {},
): Promise<void> {
  const [rate, scale = 1] = String(video.fps).split('/').map(Number) as [number, number?]
  await run({
    input: Readable.from(frames, { objectMode: false, highWaterMark: 1 }),
    demuxer: 'rawvideo',
    inputOptions: [
      ...['-pixel_format', video.pixelFormat],
      ...['-video_size', `${video.width}x${video.height}`],
      ...['-framerate', String(video.fps)],
    ],
    output,
    outputOptions: ['-an', ...options],
    duration: frameCount === undefined ? undefined : (frameCount * scale) / rate,
    ...limits,
  })
}

export interface Decoding {
  /** Path of a file, or the encoded data itself. */
  input: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Demuxer of the data, such as `hevc`. */
  demuxer: string
  /** Output options, such as `['-frames:v', '1', '-vf', 'scale=64:-1']`. */
  options?: readonly string[]
  /** ffmpeg's name of the requested pixel format, such as `rgba` or `rgb48le`. */
  pixelFormat: string
  /** Bytes of one whole picture in that format. */
  frameBytes: number
}

/**
 * Decodes frames one after the other; leaving the loop early stops ffmpeg.
 * @yields buffers of `frameBytes` bytes each
 * @throws what `run` throws
 */
export async function* decodeFrames({
  input,
  demuxer,
  options = [],
  pixelFormat,
  frameBytes,
}: Decoding): AsyncGenerator<Uint8Array> {
  const output = outputOf(
    {
      input:
        typeof input === 'string'
          ? input
          : Readable.from(input instanceof Uint8Array ? pieces(input) : input),
      demuxer,
      outputOptions: ['-an', ...options, '-f', 'rawvideo', '-pix_fmt', pixelFormat],
    },
    () => {},
  )
  let frame = new Uint8Array(frameBytes)
  let filled = 0
  for await (const chunk of output) {
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + frameBytes - filled)
      frame.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled === frameBytes) {
        yield frame
        frame = new Uint8Array(frameBytes)
        filled = 0
      }
    }
  }
}
