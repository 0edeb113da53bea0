import { childOf, childrenOf, type XmlElement } from '../../../common/xml/element.ts'
import { formatNumber } from '../../number-format.ts'
import { toggle, value } from './styles.ts'

export interface ListLevel {
  ordered: boolean
  /** Without a marker, its paragraphs continue the item above them. */
  isMarked: boolean
  /** Word's name of the format: `decimal`, `lowerLetter`, `upperRoman`, … */
  format: string
  start: number
  /** Its marker, with `%1` for the number of the highest level, such as `Article %1.`. */
  text: string
  /** Whether the numbers of all levels are written in digits. */
  isDecimal: boolean
  /** Indent of its text, in twentieths of a point. */
  indent: number
}

/** The place of a paragraph in a list. */
export interface ListPlace {
  /** The same for all paragraphs of a list. */
  list: string
  level: number
  /** Its number, if it has one. */
  number: number
  /** Its marker, such as `1.2` or `Article I`; empty for bullets. */
  label: string
  info: ListLevel
}

interface Numbering {
  abstract: string
  levels: Map<number, ListLevel>
  /** Start numbers by level, with which it restarts the numbering. */
  overrides: Map<number, number>
}

const whole = (text: string | undefined, otherwise: number) => {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? otherwise : number
}

/** Counts the paragraphs of lists as Word does: ECMA-376 part 1, 17.9. */
export class Lists {
  readonly #numberings = new Map<string, Numbering>()
  /** The current number of each level, by abstract numbering. */
  readonly #counters = new Map<string, number[]>()
  readonly #started = new Set<string>()

  constructor(root: XmlElement | undefined) {
    const abstracts = new Map(
      childrenOf(root, 'w:abstractNum').map(element => [
        element.attributes['w:abstractNumId'] ?? '',
        element,
      ]),
    )
    const styleLinks = new Map(
      [...abstracts.values()].flatMap(element => {
        const name = value(element, 'w:styleLink')
        return name ? [[name, element] as const] : []
      }),
    )
    for (const element of childrenOf(root, 'w:num')) {
      const abstract = value(element, 'w:abstractNumId') ?? ''
      let definition = abstracts.get(abstract)
      const linked = value(definition, 'w:numStyleLink')
      if (linked) definition = styleLinks.get(linked) ?? definition
      const levels = new Map(childrenOf(definition, 'w:lvl').map(levelOf))
      const overrides = new Map<number, number>()
      for (const override of childrenOf(element, 'w:lvlOverride')) {
        const level = whole(override.attributes['w:ilvl'], 0)
        const own = childOf(override, 'w:lvl')
        if (own) levels.set(level, levelOf(own)[1])
        const start = value(override, 'w:startOverride')
        if (start !== undefined) overrides.set(level, whole(start, 1))
      }
      this.#numberings.set(element.attributes['w:numId'] ?? '', { abstract, levels, overrides })
    }
  }

  /** Counts a paragraph of a list; undefined if it is not in a list. */
  next(numId: string, level: number): ListPlace | undefined {
    const numbering = this.#numberings.get(numId)
    if (!numbering || numId === '0') return undefined
    const depth = Math.min(8, Math.max(0, level))
    const info = numbering.levels.get(depth) ?? {
      ordered: false,
      isMarked: true,
      format: 'bullet',
      start: 1,
      text: '',
      isDecimal: false,
      indent: 720 * (depth + 1),
    }
    const counters = this.#counters.get(numbering.abstract) ?? []
    this.#counters.set(numbering.abstract, counters)
    const override = numbering.overrides.get(depth)
    const isFirst = !this.#started.has(`${numId}/${depth}`)
    this.#started.add(`${numId}/${depth}`)
    const reached = counters[depth]
    counters[depth] =
      isFirst && override !== undefined
        ? override
        : reached === undefined
          ? (override ?? info.start)
          : reached + 1
    counters.length = depth + 1
    const label = info.ordered ? labelOf(info, counters, numbering.levels) : ''
    return { list: numId, level: depth, number: counters[depth], label, info }
  }
}

/** The marker of an item: ECMA-376 part 1, 17.9.11. */
function labelOf(
  { text, isDecimal }: ListLevel,
  counters: readonly number[],
  levels: ReadonlyMap<number, ListLevel>,
): string {
  const label = text.replace(/%([1-9])/g, (_, digit: string) => {
    const level = Number(digit) - 1
    const info = levels.get(level)
    return formatNumber(
      counters[level] ?? info?.start ?? 1,
      isDecimal ? 'decimal' : (info?.format ?? 'decimal'),
    )
  })
  return label.replace(/\s+/g, ' ').trim()
}

/** Whether a marker has words that the numbers of a list cannot express, as in `Article %1`. */
export const hasWords = ({ ordered, text }: ListLevel): boolean =>
  ordered && /[\p{L}§]/u.test(text.replace(/%[1-9]/g, ''))

function levelOf(element: XmlElement): [number, ListLevel] {
  const format = value(element, 'w:numFmt') ?? 'decimal'
  const indent = childOf(childOf(element, 'w:pPr'), 'w:ind')?.attributes
  return [
    whole(element.attributes['w:ilvl'], 0),
    {
      ordered: format !== 'bullet' && format !== 'none',
      isMarked: format !== 'none' && value(element, 'w:lvlText')?.trim() !== '',
      format,
      start: whole(value(element, 'w:start'), 1),
      text: value(element, 'w:lvlText') ?? '',
      isDecimal: toggle([element], 'w:isLgl'),
      indent: whole(indent?.['w:left'] ?? indent?.['w:start'], 0),
    },
  ]
}
