/** Limits filters to what the renderer can calculate. */
import { type Element, walk } from '../tree.ts'

export function limitFilters(root: Element): void {
  for (const primitive of walk(root)) {
    if (primitive.name === 'feTurbulence') limitOctaves(primitive)
    if (/^fe(Offset|DropShadow)$/.test(primitive.name)) limitOffset(primitive)
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
