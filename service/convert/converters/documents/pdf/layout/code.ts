import { median } from '../../../../engines/common/median.ts'
import type { Line } from './lines.ts'

/** Lines of code with their indentation and inner spaces, derived from character columns. */
export function codeOf(lines: readonly Line[]): string {
  const left = Math.min(...lines.map(line => line.x))
  const advance = characterWidth(lines)
  const pitches = lines.slice(1).map((line, index) => line.baseline - lines[index]!.baseline)
  const pitch = Math.min(...pitches)
  const rows: string[] = []
  for (const [index, line] of lines.entries()) {
    const blank = index === 0 ? 0 : Math.min(2, Math.round(pitches[index - 1]! / pitch) - 1)
    for (let count = 0; count < blank; count++) rows.push('')
    let row = ''
    let end = left
    for (const word of line.words) {
      const spaces = Math.round((word.x - end) / advance)
      row += ' '.repeat(Math.max(row === '' || word.joined ? 0 : 1, Math.min(spaces, 200)))
      row += word.text
      end = word.x + word.width
    }
    rows.push(row)
  }
  return rows.join('\n')
}

function characterWidth(lines: readonly Line[]): number {
  const widths = lines.flatMap(({ words }) => words.map(({ width, text }) => width / [...text].length))
  return median(widths) || 6
}
