import { JobFailure } from '../../errors.ts'

/** Groups in one another. Word writes a few dozen. */
const DEPTH_LIMIT = 10_000
/** Cells of a row. Word takes 63. */
const CELL_LIMIT = 10_000

/** What counts here: brackets, cells and rows of tables, binary data. Anything else behind a backslash is passed over. */
const TOKENS = /[{}]|\\(?:(bin)(-?\d+) ?|(cellx)|(trowd|row)(?![a-z])|[\s\S])/g

/**
 * Checks what LibreOffice would go on with for minutes, or until memory ends.
 * @param text RTF as Latin-1, one character a byte; see the Rich Text Format specification, version 1.9.1
 * @throws JobFailure corrupt_input for binary data longer than the file; too_large for nesting or rows that nobody writes
 */
export function checkRtf(text: string): void {
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
}

/**
 * Earlier versions of pandoc say that a picture is binary data, do not say of how many bytes, and then write hexadecimal digits.
 * LibreOffice shows no picture unless that is taken out.
 */
export const withoutEmptyBinaries = (text: string): string => text.replace(/\\bin (?=[\da-f]{16})/gi, ' ')
