/** Tables as a web page and as Markdown. */
import { escapeXml } from '../../../engines/common/xml/characters.ts'
import { Numeral, type Scalar, type Table } from '../../../engines/data/values.ts'
import type { Inline } from '../../../engines/documents/model.ts'
import { htmlPage } from '../../../engines/documents/write/html/frame.ts'
import { inlineMarkdown, type MarkdownScope } from '../../../engines/documents/write/markdown/inline.ts'

type Print = (value: Scalar) => string

const isNumber = (value: Scalar) => typeof value === 'number' || value instanceof Numeral

/** The first row names the columns. Several tables have their names above them. */
export function pageOf(tables: readonly Table[], title: string, print: Print): string {
  const body = tables.map(({ name, rows }) => {
    const width = widthOf(rows)
    const lines = rows.map((row, index) => {
      const tag = index === 0 ? 'th' : 'td'
      const cells = Array.from({ length: width }, (_, column) => {
        const value = row[column] ?? null
        const content = escapeXml(print(value)).replace(/\r?\n|\r/g, '<br>')
        return `<${tag}${isNumber(value) ? ' class="right"' : ''}>${content}</${tag}>`
      })
      return `<tr>${cells.join('')}</tr>`
    })
    const heading = tables.length > 1 ? `<h2>${escapeXml(name)}</h2>\n` : ''
    return `${heading}<table>\n${lines.join('\n')}\n</table>`
  })
  return htmlPage({ title, language: '' }, body.join('\n'))
}

/** GitHub's tables. A column of numbers is aligned to the right. */
export function markdownOf(tables: readonly Table[], print: Print): string {
  const texts = tables.map(({ name, rows }) => {
    const width = widthOf(rows)
    const lines = rows.map(row => lineOf(width, column => escaped(print(row[column] ?? null))))
    const rule = lineOf(width, column => {
      const values = rows.slice(1).map(row => row[column] ?? null)
      const filled = values.filter(value => value !== null && value !== '')
      return filled.length > 0 && filled.every(isNumber) ? '--:' : '---'
    })
    lines.splice(1, 0, rule)
    const heading = tables.length > 1 ? `## ${escaped(name)}\n\n` : ''
    return `${heading}${lines.join('\n')}\n`
  })
  return texts.join('\n')
}

const widthOf = (rows: Table['rows']) => rows.reduce((most, row) => Math.max(most, row.length), 0)

const lineOf = (width: number, cell: (column: number) => string) =>
  `| ${Array.from({ length: width }, (_, column) => cell(column)).join(' | ')} |`

const SCOPE: MarkdownScope = {
  picture: () => undefined,
  note: () => '',
  reference: () => undefined,
  isMarked: () => false,
  hasMaths: true,
}

const escaped = (text: string): string => {
  const lines = text.split(/\r?\n|\r/).map((line): Inline => ({ kind: 'text', text: line, marks: {} }))
  return inlineMarkdown(
    lines.flatMap((line, index): Inline[] => (index === 0 ? [line] : [{ kind: 'break' }, line])),
    SCOPE,
    'cell',
  )
}
