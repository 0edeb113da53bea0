import { type Canvas, createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas'

export type CanvasContext = SKRSContext2D

/** A canvas of RGBA pixels, not premultiplied. */
export function canvasOf(data: Uint8ClampedArray, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0)
  return canvas
}

/** Frees a canvas's memory at once, since the garbage collector does not know its size. */
export function release(canvas: Canvas): void {
  canvas.width = 0
  canvas.height = 0
}
