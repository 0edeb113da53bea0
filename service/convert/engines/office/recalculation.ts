/**
 * Handles workbooks whose formulas have not been calculated yet. Libraries that write workbooks store 0 or an empty result for each
 * formula and ask the program that opens the workbook to calculate (`fullCalcOnLoad`: ECMA-376 part 1, 18.2.2). LibreOffice ignores
 * that flag, but calculates formulas that have no result.
 */
import { unzipSync, zipSync } from 'fflate'

/** A formula whose result is 0 or empty. Formulas that refer to other files keep it, since it cannot be calculated here. */
const UNCALCULATED =
  /(<(?:\w+:)?c\b[^<>]*>\s*<(?:\w+:)?f(?:\s[^<>]*)?>[^<[]*<\/(?:\w+:)?f>)\s*<((?:\w+:)?)v>0?<\/\2v>/g

/** Whether a workbook asks for its formulas to be calculated. @param xml its main part */
export const asksForCalculation = (xml: string): boolean =>
  /<(?:\w+:)?calcPr\s[^<>]*\bfullCalcOnLoad="(?:1|true)"/.test(xml)

/** @param xml the part of a sheet */
export const hasUncalculated = (xml: string): boolean => xml.search(UNCALCULATED) >= 0

/**
 * Removes the results of formulas that have not been calculated.
 * @param sheets names of the parts that contain such formulas
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
