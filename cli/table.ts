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
