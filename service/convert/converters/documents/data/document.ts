/** Tables as a text document. */
import { type DataTable, Numeral, type Scalar } from '../../../engines/data/values.ts'
import {
  type Block,
  type Document,
  documentWith,
  type Inline,
  paragraphOf,
  run,
  type TableCell,
} from '../../../engines/documents/model.ts'

const isNumber = (value: Scalar) => typeof value === 'number' || value instanceof Numeral

/** Shared by all texts of a table, of which there may be millions. */
const PLAIN = {}
const EMPTY: TableCell = { columns: 1, rows: 1, blocks: [] }

/** The first row names the columns; numbers are aligned to the right. Several tables have their names above them. */
export function documentOf(
  tables: readonly DataTable[],
  title: string,
  print: (value: Scalar) => string,
): Document {
  const cellOf = (value: Scalar): TableCell => {
    const lines = print(value).split(/\r?\n|\r/)
    if (lines.length === 1 && lines[0] === '') return EMPTY
    const content = lines.flatMap((text, index): Inline[] => {
      const part = run(text, PLAIN)
      return index === 0 ? [part] : [{ kind: 'break' }, part]
    })
    return { ...EMPTY, ...(isNumber(value) && { align: 'right' }), blocks: [paragraphOf(content)] }
  }
  const blocks = tables.flatMap(({ name, rows }): Block[] => {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
    const written = rows.map((row, index) => ({
      isHeader: index === 0,
      cells: Array.from({ length: width }, (_, column) => cellOf(row[column] ?? null)),
    }))
    const table: Block = { kind: 'table', rows: written }
    return tables.length > 1 ? [{ kind: 'heading', level: 2, content: [run(name)] }, table] : [table]
  })
  return documentWith({ title, blocks })
}
