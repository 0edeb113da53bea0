/**
 * Replaces filter primitives that the renderer draws differently from the standard with equivalents that it draws
 * correctly.
 */
import { parseColour } from '../../../common/css/colour.ts'
import { lightOf } from '../../../common/srgb.ts'
import { type Element, element, elementsOf, freshIds, inherited, walk } from '../tree.ts'

export function rewriteFilters(root: Element): void {
  const fresh = freshIds(root)
  for (const filter of walk(root)) {
    if (filter.name !== 'filter') continue
    const primitives: Element[] = []
    for (const primitive of elementsOf(filter)) {
      if (primitive.name === 'feTurbulence') limitOctaves(primitive)
      if (/^fe(Offset|DropShadow)$/.test(primitive.name)) limitOffset(primitive)
      if (/^fe(Diffuse|Specular)Lighting$/.test(primitive.name)) linearLight(primitive)
      if (primitive.name === 'feDisplacementMap') {
        nameInput(primitive, primitives.at(-1), fresh)
        primitives.push(opaqueMap(primitive, fresh))
      }
      primitives.push(primitive)
      if (primitive.name === 'feOffset') primitives.push(...cutOffset(primitive, fresh))
    }
    for (const primitive of primitives) primitive.parent = filter
    filter.children = primitives
  }
}

/** Each octave has half the strength of the previous one: from the eleventh on, none is visible in 8 bits. */
function limitOctaves({ attributes }: Element): void {
  if (Number(attributes.get('numOctaves')) > 10) attributes.set('numOctaves', '10')
}

/** Far beyond every picture, and the most that the renderer can calculate with. */
const OFFSET_LIMIT = 1e6

function limitOffset({ attributes }: Element): void {
  for (const name of ['dx', 'dy']) {
    const value = Number(attributes.get(name))
    if (Math.abs(value) > OFFSET_LIMIT) attributes.set(name, String(Math.sign(value) * OFFSET_LIMIT))
  }
}

const colourSpace = (node: Element): string => inherited(node, 'color-interpolation-filters') ?? 'linearRGB'

/** Light is specified in sRGB and applied in the filter's colour space; the renderer does not distinguish them. */
function linearLight(primitive: Element): void {
  if (colourSpace(primitive) !== 'linearRGB') return
  const colour = parseColour(primitive.attributes.get('lighting-color') ?? 'white')
  if (!colour) return
  const linear = colour.slice(0, 3).map(value => Math.round(lightOf(value / 255) * 255))
  primitive.attributes.set('lighting-color', `rgb(${linear.join(',')})`)
}

/** Names a primitive's implicit input, so that another primitive can be inserted before it. */
function nameInput(
  { attributes }: Element,
  before: Element | undefined,
  fresh: (prefix: string) => string,
): void {
  if (attributes.has('in')) return
  if (before && !before.attributes.has('result')) before.attributes.set('result', fresh('before'))
  attributes.set('in', before?.attributes.get('result') ?? 'SourceGraphic')
}

/** The renderer reads a displacement from premultiplied colours; in an opaque map both are the same. */
function opaqueMap(primitive: Element, fresh: (prefix: string) => string): Element {
  const { attributes } = primitive
  const result = fresh('map')
  const opaque = element(
    'feComponentTransfer',
    { result, 'color-interpolation-filters': colourSpace(primitive) },
    [element('feFuncA', { type: 'linear', slope: 0, intercept: 1 })],
  )
  const map = attributes.get('in2')
  if (map !== undefined) opaque.attributes.set('in', map)
  attributes.set('in2', result)
  return opaque
}

const REGION = ['x', 'y', 'width', 'height']

/** The renderer gives an offset the region of its input; a primitive without effect crops it to its own. */
function cutOffset(primitive: Element, fresh: (prefix: string) => string): Element[] {
  const { attributes } = primitive
  const own = REGION.filter(name => attributes.has(name))
  if (own.length === 0) return []
  const moved = fresh('moved')
  const cut = element('feColorMatrix', {
    in: moved,
    type: 'saturate',
    values: 1,
    'color-interpolation-filters': 'sRGB',
  })
  for (const name of own) {
    cut.attributes.set(name, attributes.get(name)!)
    attributes.delete(name)
  }
  const result = attributes.get('result')
  if (result !== undefined) cut.attributes.set('result', result)
  attributes.set('result', moved)
  return [cut]
}
