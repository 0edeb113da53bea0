/** Which lines are selected and where the cursor is; behaves like the system's lists. */
import type { Line } from './layout.ts'

export interface Selection {
  /** Keys of selected rows. */
  selected: ReadonlySet<string>
  /** Line the keyboard is at. */
  cursor: string | null
  /** Where a range began. */
  anchor: string | null
}

export const nothingSelected: Selection = { selected: new Set(), cursor: null, anchor: null }

interface With {
  /** Extends the range from its starting point. */
  range?: boolean
  /** Adds to or removes from the selection. */
  toggle?: boolean
}

const rowsBetween = (lines: readonly Line[], from: string | null, to: string): string[] => {
  const end = lines.findIndex(line => line.key === to)
  const start = from === null ? end : lines.findIndex(line => line.key === from)
  const [low, high] = [Math.min(start < 0 ? end : start, end), Math.max(start, end)]
  return lines.slice(low, high + 1).flatMap(line => (line.type === 'row' ? line.key : []))
}

/** Moves to a line, by click or key. A header is not selected, but becomes the cursor. */
export function selectLine(
  lines: readonly Line[],
  selection: Selection,
  key: string,
  { range = false, toggle = false }: With = {},
): Selection {
  if (range) {
    const anchor = selection.anchor ?? selection.cursor ?? key
    return { selected: new Set(rowsBetween(lines, anchor, key)), cursor: key, anchor }
  }
  const isRow = lines.some(line => line.key === key && line.type === 'row')
  if (toggle) {
    const selected = new Set(selection.selected)
    if (isRow && !selected.delete(key)) selected.add(key)
    return { selected, cursor: key, anchor: key }
  }
  return { selected: new Set(isRow ? [key] : []), cursor: key, anchor: key }
}

/** Key of the line `steps` away from the cursor, limited to the first and last one. */
export function lineAt(lines: readonly Line[], cursor: string | null, steps: number): string | null {
  const from = lines.findIndex(line => line.key === cursor)
  const to = from < 0 ? (steps > 0 ? 0 : lines.length - 1) : from + steps
  return lines[Math.max(0, Math.min(lines.length - 1, to))]?.key ?? null
}

/** The line to move to when some are removed: the next remaining one, otherwise the previous. */
export function lineAfter(
  lines: readonly Line[],
  removed: ReadonlySet<string>,
  cursor: string | null,
): string | null {
  const stays = (line: Line) => {
    if (line.type === 'row') return !removed.has(line.key)
    return line.keys.some(key => !removed.has(key))
  }
  const at = lines.findIndex(line => line.key === cursor)
  const after = lines.slice(Math.max(0, at)).find(line => line.type === 'row' && stays(line))
  if (after) return after.key
  return lines.slice(0, Math.max(0, at)).findLast(stays)?.key ?? null
}
