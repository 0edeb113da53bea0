import { archiveAttacks } from './archives.ts'
import type { Attack } from './attack.ts'
import { bookAttacks } from './books.ts'
import { boxAttacks } from './boxes.ts'
import { dataAttacks } from './data.ts'
import { fontAttacks } from './fonts.ts'
import { furtherAttacks } from './further.ts'
import { markdownAttacks } from './markdown.ts'
import { mediaAttacks } from './media.ts'
import { nameAttacks } from './names.ts'
import { officeAttacks } from './office.ts'
import { pdfAttacks } from './pdfs.ts'
import { pictureAttacks } from './pictures.ts'
import { vectorGraphicAttacks } from './vector-graphics.ts'

/** Every hostile file, by family. */
export const families: Readonly<Record<string, readonly Attack[]>> = {
  pictures: pictureAttacks,
  boxes: boxAttacks,
  vectorGraphics: vectorGraphicAttacks,
  fonts: fontAttacks,
  books: bookAttacks,
  markdown: markdownAttacks,
  archives: archiveAttacks,
  media: mediaAttacks,
  names: nameAttacks,
  pdf: pdfAttacks,
  office: officeAttacks,
  data: dataAttacks,
  'comics, web pages and younger formats': furtherAttacks,
}
