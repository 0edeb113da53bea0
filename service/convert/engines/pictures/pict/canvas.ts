import { type Canvas, createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas'
import type { Rectangle } from '../../common/rectangle.ts'

export type CanvasContext = SKRSContext2D

/** A canvas of RGBA pixels, not premultiplied. */
export function canvasOf(data: Uint8ClampedArray, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0)
  return canvas
}

/** A rectangle of whole pixels of a canvas. */
export type Area = Rectangle

/** The whole pixels that a box touches, within a canvas. */
export function areaWithin(canvas: Canvas, x: number, y: number, right: number, bottom: number): Area {
  const left = Math.max(0, Math.floor(x))
  const top = Math.max(0, Math.floor(y))
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(canvas.width, Math.ceil(right)) - left),
    height: Math.max(0, Math.min(canvas.height, Math.ceil(bottom)) - top),
  }
}

/** Frees a canvas's memory at once, since the garbage collector does not know its size. */
export function release(canvas: Canvas): void {
  canvas.width = 0
  canvas.height = 0
}
