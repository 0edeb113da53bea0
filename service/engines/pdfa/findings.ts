import type { PDFDict } from '@cantoo/pdf-lib'

/** What was found in a page, a form or a glyph. */
export interface Findings {
  /** Why it cannot be left as it is; for whoever mends this, not for people. */
  problems: Set<string>
  /** The fonts it uses. */
  fonts: Set<PDFDict>
  /** The resources that were looked through for it. */
  resources: Set<PDFDict>
}

export const noFindings = (): Findings => ({ problems: new Set(), fonts: new Set(), resources: new Set() })
