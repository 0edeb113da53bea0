import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { scaledSize } from '../../common/rectangle.ts'
import { bitColors, clearColor, INVERT, isBitmap, modeOfBits, pixelsOf, TRANSPARENT } from './bits.ts'
import { type CanvasContext, canvasOf, release } from './canvas.ts'
import type { Decoded } from './codecs.ts'
import { css } from './colors.ts'
import { heightOf, isEmpty, type Point, type Rect, widthOf } from './geometry.ts'
import type { Port, Shape, Verb } from './instructions.ts'
import type { Pattern } from './patterns.ts'
import { type BitsCopy, decodeMap, type Placement, type Rgba } from './pixmaps.ts'
import { defaultPort, transparent } from './ports.ts'
import type { QuickTimeImage } from './quicktime.ts'
import {
  areaOf,
  boundsOf,
  frameOf,
  type Outline,
  pointBounds,
  rectsPath,
  strokeOf,
  type View,
} from './shapes.ts'
import { textRun } from './text.ts'

const PATTERN_COPY = 8

/** Modes that darken, invert, add and lighten (Inside Macintosh: Imaging with QuickDraw, 4-32 ff.). */
const combined: Record<number, GlobalCompositeOperation> = {
  ...{ 1: 'darken', [INVERT]: 'difference', 33: 'lighter', 37: 'lighten', 39: 'darken' },
}

type Draw = (context: CanvasContext) => void

/** Draws on a white canvas the way QuickDraw draws in a port. */
export class Painter {
  readonly canvas: Canvas
  private readonly context: CanvasContext
  private readonly view: View
  private budget: number
  private port: Port = defaultPort
  private origin: Point

  /**
   * @param frame visible coordinates
   * @param scale pixels per coordinate unit
   * @param budget how many pixels may be decoded and painted
   */
  constructor(frame: Rect, scale: number, budget: number) {
    const { width, height } = scaledSize({ width: widthOf(frame), height: heightOf(frame) }, scale)
    this.canvas = createCanvas(width, height)
    this.context = this.canvas.getContext('2d')
    this.context.fillStyle = '#fff'
    this.context.fillRect(0, 0, width, height)
    this.context.save()
    this.budget = budget
    this.origin = { x: frame.left, y: frame.top }
    this.view = {
      scale,
      x: value => (value - this.origin.x) * scale,
      y: value => (value - this.origin.y) * scale,
    }
  }

  set(settings: Partial<Port>): void {
    this.port = { ...this.port, ...settings }
    if ('clip' in settings) {
      // The first saved state has the whole canvas as its clip.
      this.context.restore()
      this.context.save()
      const { clip } = this.port
      if (clip) this.context.clip(rectsPath(this.view, clip.rects), 'evenodd')
    }
  }

  moveOrigin(dx: number, dy: number): void {
    this.origin = { x: this.origin.x + dx, y: this.origin.y + dy }
  }

  /** Frees the canvas. */
  close(): void {
    release(this.canvas)
  }

  drawShape(verb: Verb, shape: Shape): void {
    const { view, port } = this
    const { penSize, penPattern, penMode } = port
    const bounds = boundsOf(shape, penSize)
    if (isEmpty(bounds)) return
    if (verb === 'frame') {
      if (penSize.x <= 0 || penSize.y <= 0) return
      this.fill(frameOf(view, shape, penSize), bounds, penPattern, penMode)
      return
    }
    const outline = areaOf(view, shape)
    if (verb === 'paint') this.fill(outline, bounds, penPattern, penMode)
    else if (verb === 'fill') this.fill(outline, bounds, port.fillPattern, PATTERN_COPY)
    else if (verb === 'erase') this.fill(outline, bounds, port.backPattern, PATTERN_COPY)
    else this.invert(outline)
  }

  drawLine(from: Point, to: Point): void {
    const { penSize, penPattern, penMode } = this.port
    if (penSize.x <= 0 || penSize.y <= 0) return
    const outline = strokeOf(this.view, from, to, penSize)
    this.fill(outline, pointBounds([from, to], penSize), penPattern, penMode)
  }

  drawText(at: Point, bytes: Uint8Array): void {
    const run = textRun(this.port, this.view, at, bytes)
    if (!run) return
    this.spend(run.size ** 2 * run.text.length)
    this.drawCombined(run.draw, this.port.textMode < 16 ? modeOfBits(this.port.textMode) : 0)
  }

  drawBits(copy: BitsCopy): void {
    const { map, source, destination, mode } = copy
    if (isEmpty(source) || isEmpty(destination)) return
    const [width, height] = [widthOf(map.bounds), heightOf(map.bounds)]
    this.spend(width * height)
    const { foreground, background } = this.port
    const image = canvasOf(pixelsOf(map, mode, foreground, background), width, height)
    this.place(image, map.bounds, copy, isBitmap(map))
  }

  /** Draws a decoded QuickTime image. */
  drawImage({ data, width, height }: Decoded, image: QuickTimeImage): void {
    this.spend(width * height)
    if (image.mode === TRANSPARENT) clearColor(data, this.port.background)
    this.place(canvasOf(data, width, height), { left: 0, top: 0 }, image, false)
  }

  /** Whether each pixel of a source becomes a square of pixels. */
  private isWhole(sourceWidth: number, width: number): boolean {
    const ratio = (width * this.view.scale) / sourceWidth
    return ratio >= 1 && Math.abs(ratio - Math.round(ratio)) < 1e-6
  }

  /**
   * Composites a part of an image, whose first pixel is at `corner`, onto the ground in its mode, and frees it.
   */
  private place(
    image: Canvas,
    corner: Pick<Rect, 'left' | 'top'>,
    { source, destination, mode, mask }: Placement,
    bitmap: boolean,
  ): void {
    const [width, height] = [widthOf(source), heightOf(source)]
    const draw: Draw = context => {
      const { x, y } = this.view
      const [left, top] = [x(destination.left), y(destination.top)]
      const [right, bottom] = [x(destination.right), y(destination.bottom)]
      context.save()
      if (mask) context.clip(rectsPath(this.view, mask.rects), 'evenodd')
      context.imageSmoothingEnabled = !bitmap && !this.isWhole(width, widthOf(destination))
      context.imageSmoothingQuality = 'high'
      const [fromX, fromY] = [source.left - corner.left, source.top - corner.top]
      context.drawImage(image, fromX, fromY, width, height, left, top, right - left, bottom - top)
      context.restore()
    }
    this.spendOn(destination)
    this.drawCombined(draw, bitmap ? modeOfBits(mode) : mode)
    release(image)
  }

  private fill(outline: Outline, bounds: Rect, pattern: Pattern, mode: number): void {
    if (this.spendOn(bounds) === 0) return
    const style = this.styleOf(pattern, mode)
    if (!style) return
    const draw: Draw = context => {
      context.fillStyle = style
      context.imageSmoothingEnabled = false
      fillOutline(context, outline)
    }
    this.drawCombined(draw, pattern.kind === 'bits' ? modeOfBits(mode) : mode)
  }

  /** What a pattern paints with in a mode, as a fill style; undefined if it paints nothing. */
  private styleOf(pattern: Pattern, mode: number) {
    if (pattern.kind === 'color') return css(pattern.color)
    if (pattern.kind === 'tile') {
      this.spend(widthOf(pattern.map.bounds) * heightOf(pattern.map.bounds) * this.view.scale ** 2)
      const { bounds } = pattern.map
      return this.repeat(decodeMap(pattern.map, transparent, transparent), widthOf(bounds), heightOf(bounds))
    }
    const [set, clear] = bitColors(mode, this.port.foreground, this.port.background)
    if (pattern.rows.every(row => row === 255)) return solid(set)
    if (pattern.rows.every(row => row === 0)) return solid(clear)
    const tile = new Uint8ClampedArray(8 * 8 * 4)
    for (let i = 0; i < 64; i++) tile.set((pattern.rows[i >> 3]! >> (7 - (i & 7))) & 1 ? set : clear, i * 4)
    return this.repeat(tile, 8, 8)
  }

  /** A tile that repeats from the origin of coordinates, each of its pixels a square. */
  private repeat(tile: Uint8ClampedArray, width: number, height: number) {
    const pattern = this.context.createPattern(canvasOf(tile, width, height), 'repeat')
    const size = Math.max(1, Math.round(this.view.scale))
    pattern?.setTransform({ a: size, b: 0, c: 0, d: size, e: this.view.x(0), f: this.view.y(0) })
    return pattern
  }

  private invert(outline: Outline): void {
    const draw: Draw = context => {
      context.fillStyle = '#fff'
      fillOutline(context, outline)
    }
    this.drawCombined(draw, INVERT)
  }

  /** Draws in a mode of colours as far as the canvas has it; others copy. */
  private drawCombined(draw: Draw, mode: number): void {
    const { context } = this
    context.globalCompositeOperation = combined[mode < 16 ? mode & 7 : mode] ?? 'source-over'
    draw(context)
    context.globalCompositeOperation = 'source-over'
  }

  private spend(pixels: number): void {
    this.budget -= Math.max(0, pixels)
    if (this.budget < 0) throw new JobFailure('jobs.too_large', message('pict.too_much_work'))
  }

  /** Spends the whole pixels of the canvas that a box touches. @returns how many */
  private spendOn({ left, top, right, bottom }: Rect): number {
    const { x, y } = this.view
    const width = Math.min(this.canvas.width, Math.ceil(x(right))) - Math.max(0, Math.floor(x(left)))
    const height = Math.min(this.canvas.height, Math.ceil(y(bottom))) - Math.max(0, Math.floor(y(top)))
    const pixels = Math.max(0, width) * Math.max(0, height)
    this.spend(pixels)
    return pixels
  }
}

const solid = ([r, g, b, alpha]: Rgba): string | undefined => (alpha === 0 ? undefined : css([r, g, b]))

function fillOutline(context: CanvasContext, { path, rule, within }: Outline): void {
  if (!within) {
    context.fill(path, rule)
    return
  }
  context.save()
  context.clip(within, 'evenodd')
  context.fill(path, rule)
  context.restore()
}
