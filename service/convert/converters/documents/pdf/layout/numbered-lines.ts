/** Numbered lists whose numbers have no full stop, as many word processors and slides write them. */
import type { Line } from './lines.ts'
import { segmentsOf } from './table-runs.ts'

/** Lines of which those that count 1, 2, 3, …, apart from their text, have a full stop after the number. */
export function withFullStops(lines: readonly Line[]): Line[] {
  const marked = [...lines]
  for (let from = 0; from < lines.length; from++) {
    if (!isEntry(lines[from]!, 1) || isBelowHeader(lines, from)) continue
    const [first, text] = lines[from]!.words
    const found = [from]
    for (let next = from + 1; next < lines.length; next++) {
      const line = lines[next]!
      const isNear = (x: number) => Math.abs(line.x - x) < line.size
      if (isEntry(line, found.length + 1) && isNear(first!.x)) found.push(next)
      // An entry may go on below its text.
      else if (!isNear(text!.x) || segmentsOf(line).length > 1) break
    }
    if (found.length < 2) continue
    for (const index of found) {
      const [mark, ...rest] = lines[index]!.words
      marked[index] = { ...lines[index]!, words: [{ ...mark!, text: `${mark!.text}.` }, ...rest] }
    }
    from = found.at(-1)!
  }
  return marked
}

function isEntry(line: Line, number: number): boolean {
  const [mark, text] = segmentsOf(line)
  return (
    mark?.words.length === 1 &&
    mark.words[0]!.text === String(number) &&
    text !== undefined &&
    segmentsOf(line).length === 2 &&
    /\p{L}/u.test(text.words[0]!.text)
  )
}

/** Whether the line above has cells, too: the header of a table. */
const isBelowHeader = (lines: readonly Line[], at: number) => at > 0 && segmentsOf(lines[at - 1]!).length > 1
