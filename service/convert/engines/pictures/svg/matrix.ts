/** Affine transforms, as SVG's and CSS's `transform` writes them. */

import { degrees, listOf, pixels } from '../../common/css/length.ts'
import { find } from '../../common/css/values.ts'
import { identity, multiply as inThisOrder, inverse, type Matrix } from '../../common/matrix.ts'
import type { Size } from '../../common/rectangle.ts'

export { apply, identity as IDENTITY, type Matrix } from '../../common/matrix.ts'

/** The transform that does `inner` first, then `outer`. */
export const multiply = (outer: Matrix, inner: Matrix): Matrix => inThisOrder(inner, outer)

/** The inverse of a transform; undefined if there is none. */
export function invert(matrix: Matrix): Matrix | undefined {
  const scale = scaleOf(matrix)
  return Number.isFinite(scale) && scale >= 1e-6 ? inverse(matrix) : undefined
}

export const translate = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y]

export const toText = (matrix: Matrix): string =>
  `matrix(${matrix.map(value => Number(value.toPrecision(12))).join(' ')})`

/** How much a transform scales lengths, on average over all directions. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c))

const angle = (text: string): number => (degrees(text) * Math.PI) / 180

/**
 * Parses `transform`; undefined if it is invalid, which makes it void.
 * @param box what percentages of a translation refer to
 */
export function parseTransform(text: string, box: Size = { width: 0, height: 0 }): Matrix | undefined {
  let result = identity
  if (text.trim().toLowerCase() === 'none') return result
  for (let at = 0; at < text.length; ) {
    const [, skipped, name] = /^([\s,]*)([a-zA-Z0-9]*)/.exec(text.slice(at, at + 1000))!
    at += skipped!.length + name!.length
    if (name === '') return at >= text.length ? result : undefined
    while (/\s/.test(text[at] ?? '')) at++
    if (text[at] !== '(') return undefined
    const close = find(text, ')', at + 1)
    const matrix = step(
      name!,
      listOf(text.slice(at + 1, close)).filter(part => part !== ''),
      box,
    )
    if (!matrix || matrix.some(value => !Number.isFinite(value))) return undefined
    result = multiply(result, matrix)
    at = close + 1
  }
  return result
}

function step(name: string, parts: string[], { width, height }: Size): Matrix | undefined {
  const first = parts[0] ?? ''
  const second = parts[1]
  const length = (text: string | undefined, whole: number) =>
    text === undefined ? 0 : pixels(text, { whole, fontSize: 16 })
  const factor = (text: string) => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text))
  switch (name.toLowerCase()) {
    case 'matrix':
      return parts.length === 6 ? (parts.map(Number) as Matrix & number[]) : undefined
    case 'translate':
    case 'translate3d':
      return translate(length(first, width), length(second, height))
    case 'translatex':
      return translate(length(first, width), 0)
    case 'translatey':
      return translate(0, length(first, height))
    case 'scale':
      return [factor(first), 0, 0, factor(second ?? first), 0, 0]
    case 'scalex':
      return [factor(first), 0, 0, 1, 0, 0]
    case 'scaley':
      return [1, 0, 0, factor(first), 0, 0]
    case 'skewx':
      return [1, 0, Math.tan(angle(first)), 1, 0, 0]
    case 'skewy':
      return [1, Math.tan(angle(first)), 0, 1, 0, 0]
    case 'skew':
      return [1, Math.tan(angle(second ?? '0')), Math.tan(angle(first)), 1, 0, 0]
    case 'rotate':
    case 'rotatez': {
      const turn = angle(first)
      const [x, y] = [Number(second ?? 0), Number(parts[2] ?? 0)]
      const rotation: Matrix = [Math.cos(turn), Math.sin(turn), -Math.sin(turn), Math.cos(turn), 0, 0]
      return multiply(translate(x, y), multiply(rotation, translate(-x, -y)))
    }
  }
  return undefined
}
