import type { PDFDict } from '@cantoo/pdf-lib'

/** Findings in a page, a form or a glyph. */
export interface Findings {
  /** Why it cannot be kept; meant for developers, not for users. */
  problems: Set<string>
  /** The fonts it uses. */
  fonts: Set<PDFDict>
  /** The resources that were checked for it. */
  resources: Set<PDFDict>
}

export const noFindings = (): Findings => ({ problems: new Set(), fonts: new Set(), resources: new Set() })
