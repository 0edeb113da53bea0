/** GIF files of plain rectangles, block by block (GIF89a specification). */
import { le16 } from './fixtures/numbers.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
  /** 0 white, 1 red, 2 blue, 3 green. */
  colour: number
  /** 0 and 1 keep the frame, 2 clears its area, 3 restores what was there before. */
  dispose: number
  /** The colour that is transparent. */
  transparent?: number
}

/** A GIF whose background colour is red. */
export const gifOf = (width: number, height: number, frames: Rectangle[]): Buffer =>
  Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[...le16(width), ...le16(height), 0x81, 1, 0],
    ...[255, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0],
    ...frames.flatMap(frameBytes),
    0x3b,
  ])

function frameBytes({ x, y, width, height, colour, dispose, transparent }: Rectangle): number[] {
  const control = (dispose << 2) | (transparent === undefined ? 0 : 1)
  return [
    ...[0x21, 0xf9, 4, control, ...le16(10), transparent ?? 0, 0],
    ...[0x2c, ...le16(x), ...le16(y), ...le16(width), ...le16(height), 0],
    ...codes(width * height, colour),
  ]
}

/** Three-bit codes: the table is cleared before it would need more bits. */
function codes(count: number, colour: number): number[] {
  const bytes: number[] = []
  let [bits, filled] = [0, 0]
  const put = (code: number) => {
    bits |= code << filled
    for (filled += 3; filled >= 8; filled -= 8) {
      bytes.push(bits & 255)
      bits >>= 8
    }
  }
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) put(4)
    put(colour)
  }
  put(5)
  bytes.push(bits & 255)
  const blocks: number[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return [2, ...blocks, 0]
}
