/** Text from right to left, whose lines the renderer begins from the left unless characters of the text say otherwise. */
import { numbers } from '../../../common/css/length.ts'
import { type Element, walk } from '../tree.ts'

/** Characters that begin a part of a line in a direction of its own (Unicode Standard Annex 9), and the one that ends it. */
const MARKS = new Map([
  ['rtl embed', '\u202b'],
  ['ltr embed', '\u202a'],
  ['rtl bidi-override', '\u202e'],
  ['ltr bidi-override', '\u202d'],
])
const END = '\u202c'

/** @param node a `text` or a part of it, of this direction */
export function markDirection(node: Element, direction: string): void {
  const { name, attributes } = node
  const beginsLine = name === 'text' || isPlaced(node)
  const [how = beginsLine && direction === 'rtl' ? 'embed' : ''] =
    /embed|bidi-override/.exec(attributes.get('unicode-bidi')?.replace(/^isolate$/, 'embed') ?? '') ?? []
  const mark = MARKS.get(`${direction} ${how}`)
  // A mark would take the place of a letter.
  if (mark === undefined || [...walk(node)].some(placesLetters)) return
  // Space at the end of a line would move to its right.
  node.children = node.children.filter((child, index) => {
    const next = node.children[index + 1]
    return typeof child !== 'string' || child.trim() !== '' || typeof next !== 'object' || !isPlaced(next)
  })
  const texts = textsIn(node)
  const change = ([parent, index]: [Element, number], marked: (text: string) => string) => {
    parent.children[index] = marked(String(parent.children[index]))
  }
  if (!texts[0]) return
  // Space at the ends must stay there to be left out.
  change(texts[0], text => text.slice(0, -text.trimStart().length) + mark + text.trimStart())
  change(texts.at(-1)!, text => text.trimEnd() + END + text.slice(text.trimEnd().length))
}

const isPlaced = ({ attributes }: Element): boolean => attributes.has('x') || attributes.has('y')

const placesLetters = ({ attributes }: Element): boolean =>
  ['x', 'y', 'dx', 'dy', 'rotate'].some(name => numbers(attributes.get(name)).length > 1)

/** The places of all texts in an element that are more than space. */
const textsIn = (node: Element): [Element, number][] =>
  node.children.flatMap((child, index): [Element, number][] =>
    typeof child === 'string' ? (child.trim() ? [[node, index]] : []) : textsIn(child),
  )
