/** Pictures as QuickDraw draws them, for checking pixel by pixel. */
import { expect } from 'vitest'
import { readPict } from '../service/convert/engines/pictures/pict/index.ts'
import { render } from '../service/shared/messages/render.ts'
import { u16 } from './fixtures/numbers.ts'
import { type Box, type Color, op, pict } from './pict.ts'

export const black: Color = [0, 0, 0]
export const white: Color = [255, 255, 255]
export const red: Color = [255, 0, 0]
export const green: Color = [0, 255, 0]
export const blue: Color = [0, 0, 255]

export interface Drawn {
  width: number
  height: number
  /** Colour of a pixel. */
  at(x: number, y: number): number[]
  warnings: string[]
}

export async function drawn(bytes: Buffer): Promise<Drawn> {
  const warnings: string[] = []
  const { data, width, height, channels } = await readPict(bytes, warning => warnings.push(render(warning)))
  expect(channels).toBe(3)
  expect(data.length).toBe(width * height * 3)
  return {
    width,
    height,
    at: (x, y) => [...data.slice((y * width + x) * 3, (y * width + x) * 3 + 3)],
    warnings,
  }
}

/** A picture of 20 × 20 points, drawn with two pixels per point. */
export const painted = (...opcodes: Buffer[]) => drawn(pict({ frame: [0, 0, 20, 20] }, ...opcodes))
export const rect = (code: number, ...box: Box) => op(code, u16(...box))

/** The picture point by point (not pixel by pixel) as rows of a string, with `#` for dark points. */
export function shapeOf({ at, width, height }: Drawn): string[] {
  const points: string[] = []
  for (let y = 1; y < height; y += 2) {
    let row = ''
    for (let x = 1; x < width; x += 2) row += at(x, y)[0]! < 128 ? '#' : '.'
    points.push(row)
  }
  return points
}
