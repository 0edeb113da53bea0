/**
 * Formulas of workbooks that no program has calculated yet. Libraries that write workbooks note 0, or nothing, as the result of each
 * and ask the program that opens the workbook to calculate (`fullCalcOnLoad`: ECMA-376 part 1, 18.2.2). LibreOffice does not heed that,
 * but calculates what has no result.
 */
import { unzipSync, zipSync } from 'fflate'

/** A formula with the result 0 or an empty one; those that refer to other files keep it, since nothing but it is known. */
const UNCALCULATED =
  /(<(?:\w+:)?c\b[^<>]*>\s*<(?:\w+:)?f(?:\s[^<>]*)?>[^<[]*<\/(?:\w+:)?f>)\s*<((?:\w+:)?)v>0?<\/\2v>/g

/** Whether a workbook asks for its formulas to be calculated. @param xml its main part */
export const asksForCalculation = (xml: string): boolean =>
  /<(?:\w+:)?calcPr\s[^<>]*\bfullCalcOnLoad="(?:1|true)"/.test(xml)

/** @param xml the part of a sheet */
export const hasUncalculated = (xml: string): boolean => xml.search(UNCALCULATED) >= 0

/**
 * The workbook without results that nobody has calculated.
 * @param sheets names of the parts that have some
 */
export function withoutUncalculated(workbook: Uint8Array, sheets: readonly string[]): Buffer {
  const parts = unzipSync(workbook)
  for (const name of sheets) {
    const part = parts[name]
    if (!part) continue
    const xml = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
    parts[name] = Buffer.from(xml.replace(UNCALCULATED, '$1'), 'latin1')
  }
  return Buffer.from(zipSync(parts, { level: 1 }))
}
