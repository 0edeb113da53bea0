import { escapeInvisible } from '../service/shared/names/names.ts'

/**
 * Writes to standard output. A terminal gets no control or reordering character of what is written; a pipe gets all, since a name is
 * only a file's name as it is.
 */
export function print(text: string): void {
  process.stdout.write(process.stdout.isTTY ? escapeInvisible(text) : text)
}

/** Writes a line to standard error, which is for people. */
export function say(text: string): void {
  process.stderr.write(`${escapeInvisible(text)}\n`)
}

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
