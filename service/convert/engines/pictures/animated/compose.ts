/** Frames that cover parts of a picture and are drawn over each other, as in GIF and APNG. */
import type { Rectangle, Size } from '../../common/rectangle.ts'

export interface Placed extends Rectangle {
  /** What happens to the frame's area before the next one: it stays, becomes transparent, or is restored. */
  dispose: 'keep' | 'clear' | 'restore'
  /** Whether the frame is blended over what is there instead of replacing it. */
  over: boolean
}

/**
 * Draws frames onto an initially transparent canvas.
 * @param decode returns the RGBA pixels of one frame, in the frame's size
 * @yields the whole picture after each frame, RGBA
 */
export async function* compose<Frame extends Placed>(
  frames: readonly Frame[],
  { width, height }: Size,
  decode: (frame: Frame) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const canvas = new Uint8Array(width * height * 4)
  for (const frame of frames) {
    const pixels = await decode(frame)
    const before = frame.dispose === 'restore' ? Uint8Array.from(canvas) : undefined
    place(canvas, width, frame, pixels)
    yield Uint8Array.from(canvas)
    if (before) canvas.set(before)
    else if (frame.dispose !== 'keep') clear(canvas, width, frame)
  }
}

function clear(canvas: Uint8Array, width: number, { x, y, width: w, height: h }: Placed): void {
  for (let row = y; row < y + h; row++) canvas.fill(0, (row * width + x) * 4, (row * width + x + w) * 4)
}

function place(canvas: Uint8Array, width: number, frame: Placed, pixels: Uint8Array): void {
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
