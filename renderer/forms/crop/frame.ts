/** The part of a picture that is kept, in pixels of the upright picture. */

import type { Values } from '../schema.ts'

export interface CropArea {
  left: number
  top: number
  width: number
  height: number
}

export interface Size {
  width: number
  height: number
}

export type Corner = 'nw' | 'ne' | 'sw' | 'se'

const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value))

/** Width divided by height of proportions such as `16:9`; undefined if any are allowed. */
export function ratioOf(aspect: unknown): number | undefined {
  const [across, down] = String(aspect).split(':').map(Number)
  return across && down ? across / down : undefined
}

/** Shares of the free space before a part that is kept by `gravity`, as the service counts them. */
function shareOf(gravity: unknown): [x: number, y: number] {
  const words = String(gravity)
  const along = (low: string, high: string) => (words.includes(low) ? 0 : words.includes(high) ? 1 : 0.5)
  return [along('west', 'east'), along('north', 'south')]
}

/** What the values of the option `crop` keep of a picture of this size. */
export function frameOf(values: Values, size: Size): CropArea {
  const number = (key: string, fallback: number) => {
    const value = values[key]
    return typeof value === 'number' ? value : fallback
  }
  const left = between(0, number('left', 0), size.width - 1)
  const top = between(0, number('top', 0), size.height - 1)
  const width = between(1, number('width', size.width), size.width - left)
  const height = between(1, number('height', size.height), size.height - top)
  const ratio = ratioOf(values.aspect)
  if (ratio === undefined) return { left, top, width, height }
  const [wide, high] = [
    Math.max(1, Math.min(width, Math.round(height * ratio))),
    Math.max(1, Math.min(height, Math.round(width / ratio))),
  ]
  const [x, y] = shareOf(values.gravity)
  return {
    left: left + Math.round((width - wide) * x),
    top: top + Math.round((height - high) * y),
    width: wide,
    height: high,
  }
}

/** A frame moved by so many pixels, within the picture. */
export const moved = (frame: CropArea, across: number, down: number, size: Size): CropArea => ({
  ...frame,
  left: between(0, Math.round(frame.left + across), size.width - frame.width),
  top: between(0, Math.round(frame.top + down), size.height - frame.height),
})

/** A frame of which one corner is at a place; the opposite one stays, and so do the proportions, if any are given. */
export function resized(
  { left, top, width, height }: CropArea,
  corner: Corner,
  x: number,
  y: number,
  size: Size,
  ratio?: number,
): CropArea {
  const isWest = corner.includes('w')
  const isNorth = corner.includes('n')
  const [fixedX, fixedY] = [isWest ? left + width : left, isNorth ? top + height : top]
  const most = {
    width: isWest ? fixedX : size.width - fixedX,
    height: isNorth ? fixedY : size.height - fixedY,
  }
  let wide = between(1, isWest ? fixedX - x : x - fixedX, most.width)
  let high = between(1, isNorth ? fixedY - y : y - fixedY, most.height)
  if (ratio !== undefined) {
    wide = Math.min(Math.max(wide, high * ratio), most.width, most.height * ratio)
    high = wide / ratio
  }
  const [w, h] = [Math.max(1, Math.round(wide)), Math.max(1, Math.round(high))]
  return { left: isWest ? fixedX - w : fixedX, top: isNorth ? fixedY - h : fixedY, width: w, height: h }
}

/** Where the arrow keys point, across and down. */
export const arrows: Readonly<Record<string, readonly [across: number, down: number] | undefined>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Where a key moves a frame, or, with Shift, its lower right corner; undefined for other keys. */
export function afterKey(key: string, isShifted: boolean, frame: CropArea, size: Size, ratio?: number) {
  const step = Math.max(1, Math.round(Math.max(size.width, size.height) / 100))
  const arrow = arrows[key]
  if (!arrow) return undefined
  const by = [arrow[0] * step, arrow[1] * step] as const
  if (!isShifted) return moved(frame, ...by, size)
  const [x, y] = [frame.left + frame.width + by[0], frame.top + frame.height + by[1]]
  const wanted = ratio === undefined || by[0] ? x : frame.left + (y - frame.top) * ratio
  const shorter = ratio !== undefined && by[0] + by[1] < 0
  return resized(frame, 'se', wanted, shorter ? frame.top + 1 : y, size, ratio)
}
