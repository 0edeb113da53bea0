import type { FontNeeds } from './needs.ts'
import type { Sheet } from './sheets.ts'

export type OfficeKind = 'text' | 'sheet' | 'slides'

export interface OfficeDocument {
  kind: OfficeKind
  /** Suffix of its actual format. */
  suffix: string
  /** The file, decrypted. */
  bytes: Buffer
  needs: FontNeeds
  /** Of a web page that names it, such as `en-GB`. */
  language?: string | undefined
  /** Whether it certainly has visible content: text or pictures. */
  hasContent: boolean
  /** Whether a document of text certainly has formulas. */
  hasFormulas?: boolean
  /** Number of filled cells of a workbook, roughly; that of Excel 4 and older ones is not known. */
  cells?: number
  /** The sheets of a workbook, if its format says how far they reach. */
  sheets?: readonly Sheet[]
  /** Whether its end is missing. */
  isCutOff?: boolean
  /** Number of embedded documents (`w:altChunk`) that are not Word files, which LibreOffice cannot read. */
  unsupportedChunks: number
  /** Number of damaged pictures, which were hidden from LibreOffice. */
  damagedPictures: number
}

/** What is known of a document before anything is found in it. */
export const noFacts = () => ({
  hasContent: false,
  hasFormulas: false,
  cells: 0,
  sheets: [] as Sheet[],
  unsupportedChunks: 0,
  damagedPictures: 0,
})
