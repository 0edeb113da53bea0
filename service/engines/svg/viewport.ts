/** Size of a drawing and of the views inside it. */
import { numbers, pixels } from './length.ts'
import type { Element } from './tree.ts'

export interface Size {
  width: number
  height: number
}

export interface ViewBox extends Size {
  x: number
  y: number
}

export function viewBoxOf({ attributes }: Element): ViewBox | undefined {
  const [x, y, width, height] = numbers(attributes.get('viewBox'))
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** The size that browsers give a drawing without one. */
const DEFAULT: Size = { width: 300, height: 150 }

/**
 * Size of a drawing in CSS pixels: its width and height; if only one is given, the proportions of its view box; if none
 * is given, the view box's own size. Percentages are ignored, since there is nothing around it.
 */
export function drawingSize(root: Element): Size {
  const length = (name: 'width' | 'height') => {
    const text = root.attributes.get(name) ?? ''
    const value = pixels(text, { whole: Number.NaN, fontSize: 16 })
    return value > 0 ? value : undefined
  }
  const [width, height] = [length('width'), length('height')]
  const box = viewBoxOf(root)
  if (width !== undefined && height !== undefined) return { width, height }
  if (width !== undefined) return { width, height: box ? (width * box.height) / box.width : DEFAULT.height }
  if (height !== undefined) return { width: box ? (height * box.width) / box.height : DEFAULT.width, height }
  return box ? { width: box.width, height: box.height } : DEFAULT
}
