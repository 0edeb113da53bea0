/** Where the elements of a document stand, for matching selectors with any kind of tree. */

/** An element of an SVG document or of a book. */
export interface TreeElement {
  name: string
  attributes: Map<string, string> | Readonly<Record<string, string>>
  children: readonly (TreeElement | string)[]
}

export interface CssPosition {
  /** In lower case. */
  name: string
  classes: readonly string[]
  attribute(name: string): string | undefined
  isEmpty: boolean
  parent: CssPosition | undefined
  /** The element before it with the same parent. */
  previous: CssPosition | undefined
  /** Its numbers from the start and from the end, from 1: among all siblings, and among those with its name. */
  ofAll: [fromStart: number, fromEnd: number]
  ofType: [fromStart: number, fromEnd: number]
}

/** The places of an element and of everything in it. */
export function placesIn(root: TreeElement): Map<TreeElement, CssPosition> {
  const places = new Map<TreeElement, CssPosition>()
  const enter = (element: TreeElement, place: CssPosition) => {
    places.set(element, place)
    const inside: [TreeElement, CssPosition][] = []
    const ofType = new Map<string, number>()
    for (const child of element.children) {
      if (typeof child === 'string') continue
      const made = placeOf(child, place, inside.at(-1)?.[1])
      made.ofType[0] = (ofType.get(made.name) ?? 0) + 1
      ofType.set(made.name, made.ofType[0])
      made.ofAll[0] = inside.push([child, made])
    }
    for (const [child, made] of inside) {
      made.ofAll[1] = inside.length - made.ofAll[0] + 1
      made.ofType[1] = ofType.get(made.name)! - made.ofType[0] + 1
      enter(child, made)
    }
  }
  enter(root, placeOf(root))
  return places
}

export function placeOf(
  { name, attributes, children }: TreeElement,
  parent?: CssPosition,
  previous?: CssPosition,
): CssPosition {
  const attribute = (key: string) => (attributes instanceof Map ? attributes.get(key) : attributes[key])
  return {
    ...{ name: name.toLowerCase(), attribute, parent, previous },
    classes: attribute('class')?.split(/\s+/) ?? [],
    isEmpty: children.length === 0,
    ...{ ofAll: [1, 1], ofType: [1, 1] },
  }
}
