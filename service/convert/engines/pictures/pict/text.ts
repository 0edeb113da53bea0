import type { CanvasContext } from './canvas.ts'
import { css, white } from './colors.ts'
import { faceOf, textOf } from './fonts.ts'
import type { Point } from './geometry.ts'
import type { Port } from './instructions.ts'
import type { View } from './shapes.ts'

const BOLD = 1
const ITALIC = 2
const UNDERLINE = 4
const OUTLINE = 8
const SHADOW = 16
const CONDENSE = 32
const EXTEND = 64
const GREYISH = 49

/** Largest letters in pixels; above that a rasterizer only wastes time. */
const MAX_SIZE = 20_000

export interface TextRun {
  text: string
  /** Height in pixels. */
  size: number
  draw(context: CanvasContext): void
}

/** Prepares a text in the port's font, size and mode at a position; undefined if nothing would be visible. */
export function textRun(port: Port, view: View, at: Point, bytes: Uint8Array): TextRun | undefined {
  const { families, heavy, symbol } = faceOf(port.font)
  const text = textOf(bytes, symbol)
  const size = (port.textSize || 12) * port.textScale.y * view.scale
  if (!text || !(size > 0) || size > MAX_SIZE) return undefined
  const style = port.face & ITALIC ? 'italic ' : ''
  const weight = heavy || port.face & BOLD ? 'bold ' : ''
  const spread = port.face & CONDENSE ? -1 : port.face & EXTEND ? 1 : 0
  const draw = (context: CanvasContext) => {
    context.save()
    context.font = `${style}${weight}${size}px ${families}`
    context.lang = 'en'
    context.letterSpacing = `${(spread + port.characterExtra * port.textSize) * view.scale}px`
    context.wordSpacing = `${port.spaceExtra * view.scale}px`
    context.translate(view.x(at.x), view.y(at.y))
    context.scale(port.textScale.x / port.textScale.y, 1)
    setText(context, text, size, view.scale, port)
    context.restore()
  }
  return { text, size, draw }
}

/** Draws a text at the context's origin. */
function setText(context: CanvasContext, text: string, size: number, scale: number, port: Port): void {
  const mode = port.textMode < 16 ? port.textMode & 7 : port.textMode
  const metrics = context.measureText(text)
  if (mode === 0) {
    context.fillStyle = css(port.background)
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = metrics
    context.fillRect(0, -ascent, metrics.width, ascent + descent)
  }
  const ink = css(mode === 2 ? white : mode === 3 ? port.background : port.foreground)
  if (mode === GREYISH) context.globalAlpha = 0.5
  context.fillStyle = ink
  if (port.face & (OUTLINE | SHADOW)) {
    context.strokeStyle = ink
    context.lineWidth = 2 * scale
    context.lineJoin = 'round'
    context.strokeText(text, 0, 0)
    if (port.face & SHADOW) context.strokeText(text, scale, scale)
    context.fillStyle = css(port.background)
  }
  context.fillText(text, 0, 0)
  if (port.face & UNDERLINE) {
    context.fillStyle = ink
    context.fillRect(0, size * 0.08, metrics.width, Math.max(scale, size / 18))
  }
}
