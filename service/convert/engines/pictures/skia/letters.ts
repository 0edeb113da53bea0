import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { Pixels } from '../pixels.ts'

/** Height of the letters, and the minimum margin around them, as shares of the edge. */
const SIZE = 0.62
const MARGIN = 0.08

/** Name under which a font is registered, whatever it calls itself. */
const FAMILY = 'refile-sample'

/**
 * Draws a few letters with a font, dark on white.
 * @param font a TrueType or OpenType file
 * @param edge of the square, in pixels
 * @returns undefined if Skia does not accept the font, or it draws nothing
 */
export function drawLetters(font: Buffer, letters: string, edge: number): Pixels | undefined {
  const key = GlobalFonts.register(font, FAMILY)
  if (!key) return undefined
  try {
    const canvas = createCanvas(edge, edge)
    const context = canvas.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, edge, edge)
    context.font = `${edge * SIZE}px ${FAMILY}`
    const box = context.measureText(letters)
    const width = box.actualBoundingBoxLeft + box.actualBoundingBoxRight
    const height = box.actualBoundingBoxAscent + box.actualBoundingBoxDescent
    if (!(width > 0 && height > 0)) return undefined
    const scale = Math.min(1, (edge * (1 - 2 * MARGIN)) / Math.max(width, height))
    context.setTransform(scale, 0, 0, scale, edge / 2, edge / 2)
    context.fillStyle = '#111'
    context.fillText(letters, box.actualBoundingBoxLeft - width / 2, box.actualBoundingBoxAscent - height / 2)
    const { data } = context.getImageData(0, 0, edge, edge)
    return { data: new Uint8Array(data.buffer), width: edge, height: edge, channels: 4 }
  } finally {
    GlobalFonts.remove(key)
  }
}
