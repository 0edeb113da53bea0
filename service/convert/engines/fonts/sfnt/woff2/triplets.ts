/** Steps from point to point as a flag and one to four bytes: https://www.w3.org/TR/WOFF2/#triplet_encoding */
import type { ByteWriter, FontCursor } from '../data.ts'

/** Writes the step to the next point: its flag to `flags`, the bytes to `bytes`. */
export function writeTriplet(flags: ByteWriter, bytes: ByteWriter, dx: number, dy: number, on: number): void {
  const curve = on ? 0 : 128
  const width = Math.abs(dx)
  const height = Math.abs(dy)
  const signX = dx < 0 ? 0 : 1
  const signY = dy < 0 ? 0 : 1
  const signs = signX + 2 * signY
  if (dx === 0 && height < 1280) {
    flags.u8(curve + ((height & 0xf00) >> 7) + signY)
    bytes.u8(height)
  } else if (dy === 0 && width < 1280) {
    flags.u8(curve + 10 + ((width & 0xf00) >> 7) + signX)
    bytes.u8(width)
  } else if (width < 65 && height < 65) {
    const [x, y] = [width - 1, height - 1]
    flags.u8(curve + 20 + (x & 0x30) + ((y & 0x30) >> 2) + signs)
    bytes.u8(((x & 15) << 4) | (y & 15))
  } else if (width < 769 && height < 769) {
    const [x, y] = [width - 1, height - 1]
    flags.u8(curve + 84 + 12 * (x >> 8) + ((y & 0x300) >> 6) + signs)
    bytes.u8(x)
    bytes.u8(y)
  } else if (width < 4096 && height < 4096) {
    flags.u8(curve + 120 + signs)
    bytes.u8(width >> 4)
    bytes.u8(((width & 15) << 4) | (height >> 8))
    bytes.u8(height)
  } else {
    flags.u8(curve + 124 + signs)
    bytes.u16(width)
    bytes.u16(height)
  }
}

/** A step. One object is reused for all, since there are many. */
export interface Step {
  dx: number
  dy: number
}

/** Reads a step into `step`. @param flag without its highest bit, which says whether the point is on the curve */
export function readTriplet(flag: number, bytes: FontCursor, step: Step): void {
  const x = flag & 1 ? 1 : -1
  const y = flag & 2 ? 1 : -1
  if (flag < 10) {
    step.dx = 0
    step.dy = x * (((flag & 14) << 7) + bytes.u8())
  } else if (flag < 20) {
    step.dx = x * ((((flag - 10) & 14) << 7) + bytes.u8())
    step.dy = 0
  } else if (flag < 84) {
    const high = flag - 20
    const low = bytes.u8()
    step.dx = x * (1 + (high & 0x30) + (low >> 4))
    step.dy = y * (1 + ((high & 0x0c) << 2) + (low & 15))
  } else if (flag < 120) {
    const high = flag - 84
    step.dx = x * (1 + (Math.floor(high / 12) << 8) + bytes.u8())
    step.dy = y * (1 + (((high % 12) >> 2) << 8) + bytes.u8())
  } else if (flag < 124) {
    const [first, second] = [bytes.u8(), bytes.u8()]
    step.dx = x * ((first << 4) + (second >> 4))
    step.dy = y * (((second & 15) << 8) + bytes.u8())
  } else {
    step.dx = x * bytes.u16()
    step.dy = y * bytes.u16()
  }
}
