/** The part of a picture that is kept, in pixels of the upright picture. */

import type { Values } from '../schema.ts'
import type { Size } from '../size.ts'

export interface CropArea {
  left: number
  top: number
  width: number
  height: number
}

const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value))

/** Width divided by height of proportions such as `16:9`; undefined if any are allowed. */
export function ratioOf(aspect: unknown): number | undefined {
  const [across, down] = String(aspect).split(':').map(Number)
  return across && down ? across / down : undefined
}

/** Where a value of the option `gravity` is, from the left and from the top, as the service counts it. */
export function shareOf(gravity: unknown): [x: number, y: number] {
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

/**
 * A frame of which a corner or an edge is at a place; what is opposite to it stays, and so do the proportions, if any are given.
 * @param handle a value of the option `gravity`
 * @param at without `x` if its width does not change by itself, without `y` if its height does not
 */
export function resized(
  { left, top, width, height }: CropArea,
  handle: string,
  { x, y }: { x?: number; y?: number },
  size: Size,
  ratio?: number,
): CropArea {
  const [across, down] = shareOf(handle)
  const [isWest, isNorth] = [across === 0, down === 0]
  const [fixedX, fixedY] = [isWest ? left + width : left, isNorth ? top + height : top]
  const most = {
    width: isWest ? fixedX : size.width - fixedX,
    height: isNorth ? fixedY : size.height - fixedY,
  }
  const isWide = x !== undefined && across !== 0.5
  const isHigh = y !== undefined && down !== 0.5
  let wide = isWide ? between(1, isWest ? fixedX - x : x - fixedX, most.width) : width
  let high = isHigh ? between(1, isNorth ? fixedY - y : y - fixedY, most.height) : height
  if (ratio !== undefined) {
    const wanted = Math.max(isWide ? wide : 0, isHigh ? high * ratio : 0)
    wide = Math.min(wanted, most.width, most.height * ratio)
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

/** A frame after a key that moves it, or one of its handles, farther with Shift; undefined for other keys. */
export function afterKey(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  frame: CropArea,
  handle: string | undefined,
  size: Size,
  ratio?: number,
): CropArea | undefined {
  const arrow = arrows[key]
  if (!arrow) return undefined
  const step = Math.max(1, Math.round(Math.max(size.width, size.height) / 100)) * (shiftKey ? 10 : 1)
  const [across, down] = [arrow[0] * step, arrow[1] * step]
  if (handle === undefined) return moved(frame, across, down, size)
  const [x, y] = shareOf(handle)
  // An edge is moved in one direction only.
  if ((across ? x : y) === 0.5) return undefined
  const at = across
    ? { x: frame.left + x * frame.width + across }
    : { y: frame.top + y * frame.height + down }
  return resized(frame, handle, at, size, ratio)
}
