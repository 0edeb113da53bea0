/** Rewrites values as the renderer reads them: plain colours, references and lengths. */

import { listOf, pixels } from '../../../common/css/length.ts'
import { ownValue } from '../../../common/own-value.ts'
import type { Size } from '../../../common/rectangle.ts'
import { plainColour } from '../../skia/colour.ts'
import { type Element, elementsOf, MARKERS, urlId } from '../tree.ts'
import { vectorGraphicSize, viewBoxOf } from '../viewport.ts'
import { markDirection } from './direction.ts'

const COLOURS = 'fill stroke color stop-color flood-color lighting-color background-color'.split(' ')
const REFERENCES = ['clip-path', 'mask', 'filter', 'fill', 'stroke', ...MARKERS]

/** What an element's lengths are relative to. */
interface Context {
  /** The view around it, if known: inside a symbol it differs for each use. */
  view: Size | undefined
  fontSize: number
  rootFontSize: number
  upperCase: string
  direction: string
  anchor: string
}

/** Lengths, by what their percentages refer to. */
const lengths: Record<string, (view: Size) => number> = {
  ...named('x cx rx width x1 x2 dx', ({ width }) => width),
  ...named('y cy ry height y1 y2 dy', ({ height }) => height),
  ...named(
    'r stroke-width stroke-dashoffset stroke-dasharray',
    ({ width, height }) => Math.hypot(width, height) / Math.SQRT2,
  ),
}

function named(names: string, whole: (view: Size) => number) {
  return Object.fromEntries(names.split(' ').map(name => [name, whole]))
}

/** Elements whose own percentages do not refer to the view. */
const OTHER_UNITS =
  /^(linearGradient|radialGradient|pattern|mask|filter|fe[A-Z]\w*|clipPath|symbol|marker|use)$/

/** Converts all values of a document to the plain form. */
export function normalizeValues(root: Element): void {
  const size = vectorGraphicSize(root)
  root.attributes.set('width', String(size.width))
  root.attributes.set('height', String(size.height))
  const first = fontSizeOf(root, 16, 16)
  normalize(root, {
    view: viewOf(root, size),
    fontSize: 16,
    rootFontSize: first,
    upperCase: 'none',
    direction: 'ltr',
    anchor: 'start',
  })
}

function viewOf(node: Element, own: Size | undefined): Size | undefined {
  const box = viewBoxOf(node)
  return box ? { width: box.width, height: box.height } : own
}

function normalize(node: Element, context: Context): void {
  const { attributes } = node
  const fontSize = fontSizeOf(node, context.fontSize, context.rootFontSize)
  const upperCase = attributes.get('text-transform')?.toLowerCase() ?? context.upperCase
  attributes.delete('text-transform')
  const direction = attributes.get('direction') ?? context.direction
  const anchor = attributes.get('text-anchor') ?? context.anchor
  for (const name of COLOURS) {
    const value = attributes.get(name)
    if (value !== undefined) attributes.set(name, plainColour(value))
  }
  for (const name of REFERENCES) {
    const value = attributes.get(name)
    const id = urlId(value)
    if (value === undefined || id === undefined) continue
    const fallback = value.slice(value.indexOf(')') + 1).trim()
    // Several filters in a row are kept as they are.
    if (name === 'filter' && fallback !== '') continue
    attributes.set(name, fallback ? `url(#${id}) ${plainColour(fallback)}` : `url(#${id})`)
  }
  const rendering = attributes.get('image-rendering')
  if (rendering && /pixelated|crisp-edges/.test(rendering)) attributes.set('image-rendering', 'optimizeSpeed')
  const mode = attributes.get('writing-mode')
  if (mode && /^vertical|^tb/.test(mode)) attributes.set('writing-mode', 'tb')
  if (!OTHER_UNITS.test(node.name)) resolveLengths(node, { ...context, fontSize }, context.fontSize)

  // The renderer detects the direction of letters itself, but not where a line of them begins.
  if (direction === 'rtl' && /^(text|tspan|textPath)$/.test(node.name)) {
    attributes.set('text-anchor', anchor === 'start' ? 'end' : anchor === 'end' ? 'start' : anchor)
  }

  const inner: Context = { ...context, fontSize, upperCase, direction, anchor }
  if (node.parent && node.name === 'svg') {
    const length = (name: 'width' | 'height') => {
      const whole = context.view?.[name] ?? Number.NaN
      return pixels(attributes.get(name) ?? '100%', { whole, fontSize })
    }
    const own = { width: length('width'), height: length('height') }
    inner.view = viewOf(node, own.width > 0 && own.height > 0 ? own : undefined)
  } else if (/^(symbol|marker|pattern)$/.test(node.name)) {
    inner.view = viewOf(node, undefined)
  } else if (
    attributes.get(`${node.name}ContentUnits`) === 'objectBoundingBox' ||
    attributes.get('clipPathUnits') === 'objectBoundingBox'
  ) {
    inner.view = undefined
  }
  if (upperCase !== 'none' && /^(text|tspan|textPath|a)$/.test(node.name)) {
    node.children = node.children.map(child => (typeof child === 'string' ? inCase(child, upperCase) : child))
  }
  for (const child of elementsOf(node)) normalize(child, inner)
  if (/^(text|tspan)$/.test(node.name)) markDirection(node, direction)
}

const inCase = (text: string, how: string): string => {
  if (how === 'uppercase') return text.toUpperCase()
  if (how === 'lowercase') return text.toLowerCase()
  return how === 'capitalize'
    ? text.replace(/(^|\s)(\p{L})/gu, (_, space: string, letter: string) => space + letter.toUpperCase())
    : text
}

/** Font sizes by name (CSS Fonts 4, 2.5). */
const SIZES: Record<string, number> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
}

/** Font size in pixels; the attribute becomes a plain number. */
function fontSizeOf({ attributes }: Element, outer: number, rootFontSize: number): number {
  const text = attributes.get('font-size')?.trim().toLowerCase()
  if (text === undefined) return outer
  const size =
    text === 'larger'
      ? outer * 1.2
      : text === 'smaller'
        ? outer / 1.2
        : (ownValue(SIZES, text) ?? pixels(text, { whole: outer, fontSize: outer, rootFontSize }))
  if (!(size >= 0)) {
    attributes.delete('font-size')
    return outer
  }
  attributes.set('font-size', String(size))
  return size
}

function resolveLengths(
  { name: element, attributes }: Element,
  { view, fontSize, rootFontSize }: Context,
  outerFontSize: number,
): void {
  const measures = (name: string) => ({
    whole: view ? lengths[name]!(view) : Number.NaN,
    fontSize,
    rootFontSize,
  })
  for (const [name, value] of attributes) {
    if (!Object.hasOwn(lengths, name) || /^\s*[+-]?[\d.]+\s*$/.test(value)) continue
    if (value === 'auto' || value === 'none') {
      if (value === 'auto') attributes.delete(name)
      continue
    }
    // Text may have a length for every letter.
    const isList = name === 'stroke-dasharray' || (/^(text|tspan)$/.test(element) && /^d?[xy]$/.test(name))
    const resolved = (isList ? listOf(value) : [value]).map(part => pixels(part, measures(name)))
    if (resolved.every(Number.isFinite))
      attributes.set(name, resolved.map(part => Number(part.toFixed(6))).join(' '))
  }
  const shift = attributes.get('baseline-shift')
  // As browsers position them, whatever the font specifies.
  if (shift === 'sub') attributes.set('baseline-shift', String(-outerFontSize / 5 - 1))
  else if (shift === 'super') attributes.set('baseline-shift', String(outerFontSize / 3 + 1))
  for (const name of ['letter-spacing', 'word-spacing', 'textLength', 'startOffset', 'baseline-shift']) {
    const value = attributes.get(name)
    // Its percentages refer to the path or the line.
    if (value === undefined || value.includes('%')) continue
    const resolved = pixels(value, { whole: 0, fontSize, rootFontSize })
    if (Number.isFinite(resolved)) attributes.set(name, String(resolved))
  }
}
