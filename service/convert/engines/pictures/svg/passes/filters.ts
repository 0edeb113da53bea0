/** Limits filters to what the renderer can calculate. */
import { type Element, walk } from '../tree.ts'

/** Far beyond every picture, and the most that the renderer can calculate with. */
const OFFSET_LIMIT = 1e6

export function limitFilters(root: Element): void {
  for (const { name, attributes } of walk(root)) {
    // Each octave has half the strength of the one before: from the eleventh on, none is visible in 8 bits.
    if (name === 'feTurbulence' && Number(attributes.get('numOctaves')) > 10)
      attributes.set('numOctaves', '10')
    if (!/^fe(Offset|DropShadow)$/.test(name)) continue
    for (const side of ['dx', 'dy']) {
      const value = Number(attributes.get(side))
      if (Math.abs(value) > OFFSET_LIMIT) attributes.set(side, String(Math.sign(value) * OFFSET_LIMIT))
    }
  }
}
