import { JobFailure } from '../../../../shared/errors.ts'

/** Maximum nesting of groups. Word writes a few dozen. */
const DEPTH_LIMIT = 10_000
/** Maximum number of cells in a row. Word allows 63. */
const CELL_LIMIT = 10_000

/** The tokens that are checked: braces, table cells and rows, binary data. Anything else after a backslash is skipped. */
const TOKENS = /[{}]|\\(?:(bin)(-?\d+) ?|(cellx)|(trowd|row)(?![a-z])|[\s\S])/g

/**
 * Rejects input that would keep LibreOffice busy for minutes or exhaust its memory.
 * @param text RTF as Latin-1, one character per byte; see the Rich Text Format specification, version 1.9.1
 * @returns how many groups are open at the end, as in a file that is cut off
 * @throws JobFailure corrupt_input for binary data longer than the file; too_large for nesting or rows beyond any real document
 */
export function checkRtf(text: string): number {
  let depth = 0
  let cells = 0
  TOKENS.lastIndex = 0
  for (let found = TOKENS.exec(text); found; found = TOKENS.exec(text)) {
    const [token, bin, length, cell, row] = found
    if (token === '{') depth++
    else if (token === '}') depth--
    else if (cell) cells++
    else if (row) cells = 0
    else if (bin) {
      const end = TOKENS.lastIndex + Number(length)
      if (end < TOKENS.lastIndex || end > text.length) throw new JobFailure('jobs.corrupt_input')
      TOKENS.lastIndex = end
    }
    if (depth > DEPTH_LIMIT || cells > CELL_LIMIT) throw new JobFailure('jobs.too_large')
  }
  return Math.max(0, depth)
}

/**
 * Earlier versions of pandoc mark a picture as binary data without a length, but then write hexadecimal digits.
 * LibreOffice does not show such a picture unless the mark is removed.
 */
export const withoutEmptyBinaries = (text: string): string => text.replace(/\\bin (?=[\da-f]{16})/gi, ' ')
