import { JobFailure } from '../../errors.ts'
import { chunk, hasChunk, readChunks, SIGNATURE } from '../formats/png.ts'
import { checkFrameCount, checkFramePixels, FRAME_PIXEL_LIMIT } from '../limits.ts'
import type { Animation } from '../pixels.ts'
import { sharp } from '../sharp/load.ts'

interface Frame {
  x: number
  y: number
  width: number
  height: number
  delay: number
  /** 0 keeps what was drawn, 1 clears the area afterwards, 2 restores what was there before. */
  dispose: number
  /** Whether the frame is laid over what is there instead of replacing it. */
  over: boolean
  data: Buffer[]
}

/** Chunks that tell how samples become colours, needed by every frame. */
const SHARED = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'cICP'])

/**
 * The animation in a PNG file, or undefined when it is a still picture (PNG specification, third edition, 11.3.6).
 * Each frame is made a PNG file of its own for sharp to decode, then drawn onto the canvas.
 * @throws JobFailure too_large, too_many_pages; while reading frames also corrupt_input
 */
export function readApng(file: Buffer): Animation | undefined {
  let header: Buffer | undefined
  let loop = 0
  let animated = false
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
    // A default image before the first fcTL is for viewers without animation.
    else if (type === 'IDAT') frames.at(-1)?.data.push(data)
    else if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4))
  }
  const drawn = frames.filter(frame => frame.data.length > 0)
  if (!animated || !header || header.length < 13 || drawn.length < 2) return undefined
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
    frames: draw(drawn, width, height, header, shared),
    delays: drawn.map(frame => frame.delay),
    loop,
  }
}

function frameOf(data: Buffer): Frame {
  const denominator = data.readUInt16BE(22) || 100
  return {
    width: data.readUInt32BE(4),
    height: data.readUInt32BE(8),
    x: data.readUInt32BE(12),
    y: data.readUInt32BE(16),
    delay: (data.readUInt16BE(20) * 1000) / denominator || 10,
    dispose: data[24] ?? 0,
    over: data[25] === 1,
    data: [],
  }
}

async function* draw(
  frames: readonly Frame[],
  width: number,
  height: number,
  header: Buffer,
  shared: readonly Buffer[],
): AsyncGenerator<Uint8Array> {
  const canvas = new Uint8Array(width * height * 4)
  for (const [index, frame] of frames.entries()) {
    const pixels = await decode(frame, header, shared)
    const before = frame.dispose === 2 && index > 0 ? Uint8Array.from(canvas) : undefined
    place(canvas, width, frame, pixels)
    yield Uint8Array.from(canvas)
    if (before) canvas.set(before)
    else if (frame.dispose !== 0) clear(canvas, width, frame)
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
  try {
    return await sharp(png, { limitInputPixels: FRAME_PIXEL_LIMIT })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer()
  } catch (cause) {
    throw new JobFailure('jobs.corrupt_input', undefined, { cause })
  }
}

function clear(canvas: Uint8Array, width: number, { x, y, width: w, height: h }: Frame): void {
  for (let row = y; row < y + h; row++) canvas.fill(0, (row * width + x) * 4, (row * width + x + w) * 4)
}

function place(canvas: Uint8Array, width: number, frame: Frame, pixels: Uint8Array): void {
  const bytes = frame.width * 4
  for (let row = 0; row < frame.height; row++) {
    const to = ((frame.y + row) * width + frame.x) * 4
    const source = pixels.subarray(row * bytes, (row + 1) * bytes)
    if (frame.over) blend(canvas.subarray(to, to + bytes), source)
    else canvas.set(source, to)
  }
}

/** Source over destination, neither premultiplied. */
function blend(under: Uint8Array, over: Uint8Array): void {
  for (let i = 0; i < over.length; i += 4) {
    const alpha = over[i + 3] as number
    if (alpha === 0) continue
    if (alpha === 255) {
      under.set(over.subarray(i, i + 4), i)
      continue
    }
    const below = ((under[i + 3] as number) * (255 - alpha)) / 255
    const sum = alpha + below
    for (let c = i; c < i + 3; c++) {
      under[c] = Math.round(((over[c] as number) * alpha + (under[c] as number) * below) / sum)
    }
    under[i + 3] = Math.round(sum)
  }
}

/** Whether a PNG file announces an animation: the chunk for that stands before the first picture data. */
export const isApng = (path: string): Promise<boolean> => hasChunk(path, 'acTL')
