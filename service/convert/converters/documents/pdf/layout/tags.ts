/** Reads the tags of a file (ISO 32000-1, 14.8.4). Positions are taken from the page, roles from the tags. */

import { unionOf } from '../../../../engines/common/rectangle.ts'
import type { StructureElement } from '../../../../engines/pdf/content/types.ts'
import { running, type Vocabulary } from './content.ts'
import { linesOf, type Word } from './lines.ts'
import type { TableCell } from './model.ts'
import type { PositionedTable } from './ruled-tables.ts'

export interface Tags {
  /** Level of the heading that marked content belongs to; 0 for text that is not tagged as a heading. */
  levels: Map<number, number>
  /** Alternative texts of pictures, by marked content. */
  alternatives: Map<number, string>
  tables: StructureElement[]
}

const HEADING = /^H([1-6])$/
const TEXT = new Set(['P', 'LI', 'LBody', 'Lbl', 'TD', 'TH', 'Caption', 'Note', 'BlockQuote', 'Code'])

export function tagsOf(roots: readonly StructureElement[]): Tags {
  const tags: Tags = { levels: new Map(), alternatives: new Map(), tables: [] }
  const visit = (element: StructureElement, level: number | undefined, alternative: string | undefined) => {
    const heading = HEADING.exec(element.type)
    const own = heading
      ? Number(heading[1])
      : element.type === 'Title'
        ? 1
        : TEXT.has(element.type)
          ? 0
          : level
    const ownAlternative = element.type === 'Figure' ? element.alternative : alternative
    if (element.type === 'Table') tags.tables.push(element)
    for (const child of element.children) {
      if (typeof child !== 'number') visit(child, own, ownAlternative)
      else {
        if (own !== undefined) tags.levels.set(child, own)
        if (ownAlternative) tags.alternatives.set(child, ownAlternative)
      }
    }
  }
  for (const root of roots) visit(root, undefined, undefined)
  return tags
}

function contentOf(element: StructureElement, found = new Set<number>()): Set<number> {
  for (const child of element.children) {
    if (typeof child === 'number') found.add(child)
    else contentOf(child, found)
  }
  return found
}

const rowsOf = (element: StructureElement): StructureElement[] =>
  element.children.flatMap(child => {
    if (typeof child === 'number') return []
    return child.type === 'TR' ? [child] : /^T(Head|Body|Foot)$/.test(child.type) ? rowsOf(child) : []
  })

const COLUMN_LIMIT = 500

/** Tables with tagged rows and cells, and the words outside of tables. */
export function taggedTables(
  tables: readonly StructureElement[],
  words: readonly Word[],
  vocabulary: Vocabulary,
  page: number,
): { tables: PositionedTable[]; rest: Word[] } {
  const positioned: PositionedTable[] = []
  let rest = [...words]
  for (const element of tables) {
    const inside = contentOf(element)
    const own = rest.filter(word => inside.has(word.content))
    const table = own.length > 0 ? tableOf(element, own, vocabulary, page) : null
    if (!table) continue
    positioned.push(table)
    const used = new Set(own)
    rest = rest.filter(word => !used.has(word))
  }
  return { tables: positioned, rest }
}

function tableOf(
  element: StructureElement,
  words: readonly Word[],
  vocabulary: Vocabulary,
  page: number,
): PositionedTable | null {
  const rows: (TableCell | null)[][] = []
  /** Number of rows that a cell further up still covers, by column. */
  const covered: number[] = []
  let headerRows = 0
  const used = new Set<Word>()
  for (const [index, row] of rowsOf(element).entries()) {
    const line: (TableCell | null)[] = []
    const cells = row.children.filter(child => typeof child !== 'number')
    if (index === headerRows && cells.length > 0 && cells.every(cell => cell.type === 'TH')) headerRows += 1
    const skip = () => {
      while ((covered[line.length] ?? 0) > 0) {
        covered[line.length]! -= 1
        line.push(null)
      }
    }
    for (const cell of cells) {
      skip()
      const content = contentOf(cell)
      const own = words.filter(word => content.has(word.content))
      for (const word of own) used.add(word)
      const [columns, down] = [Math.min(cell.columns ?? 1, COLUMN_LIMIT), cell.rows ?? 1]
      line.push({ content: running(linesOf(own), vocabulary), columns, rows: down })
      covered[line.length - 1] = down - 1
      for (let more = 1; more < columns; more++) {
        line.push(null)
        covered[line.length - 1] = down - 1
      }
    }
    skip()
    if (line.length > COLUMN_LIMIT) return null
    rows.push(line)
  }
  const width = Math.max(0, ...rows.map(row => row.length))
  const box = unionOf(upToBreak(words))
  // A table with text outside of rows and cells cannot be trusted.
  if (!box || width < 2 || used.size < words.length * 0.95) return null
  for (const row of rows) while (row.length < width) row.push({ content: [], columns: 1, rows: 1 })
  for (const [index, row] of rows.entries())
    for (const cell of row) if (cell) cell.rows = Math.min(cell.rows, rows.length - index)
  return {
    box,
    table: { kind: 'table', rows, headerRows: headerRows < rows.length ? headerRows : 0, page },
  }
}

/** Words of a table up to where it continues further up, in the next column. */
function upToBreak(words: readonly Word[]): readonly Word[] {
  let bottom = Number.NEGATIVE_INFINITY
  let top = Number.POSITIVE_INFINITY
  for (const [index, { baseline, size, height }] of words.entries()) {
    if (baseline < bottom - height * 3 && baseline < top + size * 3) return words.slice(0, index)
    bottom = Math.max(bottom, baseline)
    top = Math.min(top, baseline)
  }
  return words
}
