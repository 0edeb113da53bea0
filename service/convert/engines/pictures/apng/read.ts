import { JobFailure } from '../../../../shared/errors.ts'
import { checkFrameCount, checkFramePixels, FRAME_PIXEL_LIMIT } from '../../common/limits.ts'
import { compose, type Placed } from '../animated/compose.ts'
import { chunk, hasChunk, readChunks, SIGNATURE } from '../formats/png.ts'
import type { Animation } from '../pixels.ts'
import { sharp } from '../sharp/load.ts'
import { rgbaOf } from '../sharp/samples.ts'

interface Frame extends Placed {
  delay: number
  data: Buffer[]
}

/** Chunks that determine how samples become colours, needed by every frame. */
const SHARED = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'cICP'])

/**
 * The animation in a PNG file, or undefined for a still picture (PNG Specification, Third Edition, 11.3.6). Each frame
 * is turned into a PNG file for sharp to decode, then drawn onto the canvas.
 * @throws JobFailure too_large, too_many_pages; while reading frames also corrupt_input
 */
export function readApng(file: Buffer): Animation | undefined {
  let header: Buffer | undefined
  let loop = 0
  let animated = false
  // Whether the picture before the animation is not one of its frames.
  let hasOwnDefault = false
  const shared: Buffer[] = []
  const frames: Frame[] = []
  for (const { type, data } of readChunks(file)) {
    if (type === 'IHDR') header = data
    else if (SHARED.has(type)) shared.push(chunk(type, data))
    else if (type === 'acTL' && data.length >= 8) {
      animated = true
      loop = data.readUInt32BE(4)
    } else if (type === 'fcTL' && data.length >= 26) {
      frames.push(frameOf(data))
      checkFrameCount(frames.length)
    }
    // A default image before the first fcTL is for viewers without animation support.
    else if (type === 'IDAT') {
      if (frames.length === 0) hasOwnDefault = true
      frames.at(-1)?.data.push(data)
    } else if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4))
  }
  const drawn = frames.filter(frame => frame.data.length > 0)
  if (!animated || !header || header.length < 13 || drawn.length === 0) return undefined
  // The only frame is the picture that every decoder shows.
  if (drawn.length === 1 && !hasOwnDefault) return undefined
  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  checkFramePixels(width, height)
  for (const frame of drawn) {
    if (!frame.width || !frame.height || frame.x + frame.width > width || frame.y + frame.height > height) {
      throw new JobFailure('jobs.corrupt_input')
    }
  }
  return {
    width,
    height,
    frameCount: drawn.length,
    frames: compose(drawn, { width, height }, frame => decode(frame, header, shared)),
    delays: drawn.map(frame => frame.delay),
    loop,
  }
}

const DISPOSALS = ['keep', 'clear', 'restore'] as const

function frameOf(data: Buffer): Frame {
  const denominator = data.readUInt16BE(22) || 100
  return {
    width: data.readUInt32BE(4),
    height: data.readUInt32BE(8),
    x: data.readUInt32BE(12),
    y: data.readUInt32BE(16),
    delay: (data.readUInt16BE(20) * 1000) / denominator || 10,
    dispose: DISPOSALS[data[24] ?? 0] ?? 'keep',
    over: data[25] === 1,
    data: [],
  }
}

async function decode(frame: Frame, header: Buffer, shared: readonly Buffer[]): Promise<Buffer> {
  const own = Buffer.from(header)
  own.writeUInt32BE(frame.width, 0)
  own.writeUInt32BE(frame.height, 4)
  const png = Buffer.concat([
    SIGNATURE,
    chunk('IHDR', own),
    ...shared,
    ...frame.data.map(data => chunk('IDAT', data)),
    chunk('IEND'),
  ])
  return rgbaOf(sharp(png, { limitInputPixels: FRAME_PIXEL_LIMIT }))
}

/** Whether a PNG file announces an animation: that chunk comes before the first picture data. */
export const isApng = (path: string): Promise<boolean> => hasChunk(path, 'acTL')
