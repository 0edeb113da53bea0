import bankStatement from './bank-statement.ts'
import doc from './doc.ts'
import docx from './docx.ts'
import jpg from './jpg.ts'
import md from './md.ts'
import pdf from './pdf.ts'
import png from './png.ts'
import pptx from './pptx.ts'
import rtf from './rtf.ts'
import word from './word.ts'
import xlsx from './xlsx.ts'

/** Declarations of this category, a file per source format. */
export default [
  ...bankStatement,
  ...doc,
  ...docx,
  ...jpg,
  ...md,
  ...pdf,
  ...png,
  ...pptx,
  ...rtf,
  ...word,
  ...xlsx,
]
