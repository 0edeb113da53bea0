import { print } from './print.ts'

/** Prints rows in columns; the first line names them. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map(row => (row[at] ?? '').length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  print(`${[heads, ...rows].map(line).join('\n')}\n`)
}

/** Prints a value as one line of JSON. */
export const printValue = (value: unknown): void => print(`${JSON.stringify(value)}\n`)

/** Prints values as a table, or as a line of JSON each. */
export function printList<Each>(
  values: readonly Each[],
  isJson: boolean,
  heads: readonly string[],
  rowOf: (each: Each) => readonly string[],
): void {
  if (isJson) for (const each of values) printValue(each)
  else printTable(heads, values.map(rowOf))
}
