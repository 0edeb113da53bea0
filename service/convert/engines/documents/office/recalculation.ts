/**
 * Handles workbooks whose formulas have not been calculated yet. Libraries that write workbooks store 0 or an empty result for each
 * formula and ask the program that opens the workbook to calculate (`fullCalcOnLoad`: ECMA-376 part 1, 18.2.2). LibreOffice ignores
 * that flag, but calculates formulas that have no result.
 */
/** A formula whose result is 0 or empty. Formulas that refer to other files keep it, since it cannot be calculated here. */
const UNCALCULATED =
  /(<(?:\w+:)?c\b[^<>]*>\s*<(?:\w+:)?f(?:\s[^<>]*)?>[^<[]*<\/(?:\w+:)?f>)\s*<((?:\w+:)?)v>0?<\/\2v>/g

/** Whether a workbook asks for its formulas to be calculated. @param xml its main part */
export const asksForCalculation = (xml: string): boolean =>
  /<(?:\w+:)?calcPr\s[^<>]*\bfullCalcOnLoad="(?:1|true)"/.test(xml)

/** @param xml the part of a sheet */
export const hasUncalculated = (xml: string): boolean => xml.search(UNCALCULATED) >= 0

/** The part of a sheet without the results of formulas that have not been calculated. */
export const withoutUncalculated = (sheet: Uint8Array): Buffer =>
  Buffer.from(
    Buffer.from(sheet.buffer, sheet.byteOffset, sheet.byteLength)
      .toString('latin1')
      .replace(UNCALCULATED, '$1'),
    'latin1',
  )
