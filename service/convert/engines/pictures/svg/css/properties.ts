import { readDeclarations } from '../../../common/css/sheet.ts'

/** Properties that apply to SVG (SVG 2, 6.6), with their initial values if they are inherited. */
interface Property {
  inherited: boolean
  initial?: string
}

/** With their initial values. */
const inherited = readDeclarations(`
  clip-rule: nonzero; color: black; color-interpolation: sRGB; color-interpolation-filters: linearRGB;
  cursor: auto; direction: ltr; fill: black; fill-opacity: 1; fill-rule: nonzero; font-family: serif;
  font-size: 16px; font-size-adjust: none; font-stretch: normal; font-style: normal; font-variant: normal;
  font-weight: normal; image-rendering: auto; letter-spacing: normal; marker-end: none; marker-mid: none;
  marker-start: none; paint-order: normal; shape-rendering: auto; stroke: none; stroke-dasharray: none;
  stroke-dashoffset: 0; stroke-linecap: butt; stroke-linejoin: miter; stroke-miterlimit: 4; stroke-opacity: 1;
  stroke-width: 1; text-anchor: start; text-rendering: auto; text-transform: none; visibility: visible;
  word-spacing: normal; writing-mode: lr-tb`)

const others = `
  alignment-baseline background-color baseline-shift clip clip-path cx cy d display dominant-baseline filter
  flood-color flood-opacity height isolation lighting-color mask mask-type mix-blend-mode opacity overflow r rx ry
  stop-color stop-opacity text-decoration transform transform-origin unicode-bidi vector-effect
  width x y`

export const properties = new Map<string, Property>([
  ['xml:space', { inherited: true, initial: 'default' }],
  ...inherited.map(({ name, value }): [string, Property] => [name, { inherited: true, initial: value }]),
  ...others
    .trim()
    .split(/\s+/)
    .map((name): [string, Property] => [name, { inherited: false }]),
])

const sized = ['svg', 'rect', 'image', 'foreignObject']
const positioned = [...sized, 'use']
const round = ['circle', 'ellipse', 'radialGradient']

/** Elements whose geometry can be set by a style. */
const geometry: Record<string, string[]> = {
  x: positioned,
  y: positioned,
  width: sized,
  height: sized,
  cx: round,
  cy: round,
  r: ['circle'],
  rx: ['rect', 'ellipse'],
  ry: ['rect', 'ellipse'],
  d: ['path'],
}

/** Whether a style may set this property on this element. */
export const isStyled = (name: string, element: string): boolean =>
  properties.has(name) && (!Object.hasOwn(geometry, name) || geometry[name]!.includes(element))
