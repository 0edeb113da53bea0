/** Lists: ECMA-376, part 1, 17.9. */
import { ownValue } from '../../../../common/own-value.ts'

export type NumberFormat =
  | 'decimal'
  | 'lowerLetter'
  | 'upperLetter'
  | 'lowerRoman'
  | 'upperRoman'
  | 'decimalZero'

/** The marker before the entries of a list. */
export type Marker = { bullet: 'disc' | 'circle' | 'square' } | { format: NumberFormat; start: number }

/** Deepest level of a list, from 0. */
export const DEEPEST_LEVEL = 8
/** Indent per level, in twentieths of a point. */
export const LEVEL_INDENT = 360

const bullets = { disc: '•', circle: '◦', square: '▪' }

export class Numbering {
  /** Kinds of lists, each with the same marker at all levels. */
  readonly #abstractLists: string[] = []
  readonly #lists: { kind: number; level: number; start: number | undefined }[] = []
  readonly #bulletLists = new Map<string, number>()

  /** Adds a list and returns the number by which its entries refer to it. Each ordered list is counted separately. */
  add(marker: Marker, level: number): number {
    const name = 'bullet' in marker ? marker.bullet : marker.format
    const known = this.#bulletLists.get(name)
    if (known !== undefined) return known
    let kind = this.#abstractLists.indexOf(name)
    if (kind < 0) kind = this.#abstractLists.push(name) - 1
    const number = this.#lists.push({ kind, level, start: 'bullet' in marker ? undefined : marker.start })
    if ('bullet' in marker) this.#bulletLists.set(name, number)
    return number
  }

  xml(): string {
    const abstractLists = this.#abstractLists.map((name, index) => {
      const bullet = ownValue<string>(bullets, name)
      const levels = Array.from({ length: DEEPEST_LEVEL + 1 }, (_, level) => {
        const look = bullet
          ? `<w:numFmt w:val="bullet"/><w:lvlText w:val="${bullet}"/>`
          : `<w:numFmt w:val="${name}"/><w:lvlText w:val="%${level + 1}."/>`
        return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/>${look}<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(level + 1) * LEVEL_INDENT}" w:hanging="${LEVEL_INDENT}"/></w:pPr></w:lvl>`
      })
      return `<w:abstractNum w:abstractNumId="${index}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join('')}</w:abstractNum>`
    })
    const lists = this.#lists.map(({ kind, level, start }, index) => {
      const override =
        start === undefined
          ? ''
          : `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`
      return `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${kind}"/>${override}</w:num>`
    })
    return [...abstractLists, ...lists].join('')
  }
}
