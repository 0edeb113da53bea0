/** Which pages of a document or of a picture are converted, and areas of them. */
import { text } from '../catalogue/options.ts'

/** One page, or a range whose end may be left out. */
const PAGE_RANGE = '[0-9]{1,6}(-[0-9]{0,6})?'

/** The same, and pages by name. */
const PAGES = '(odd|even|last(-[0-9]{1,6})?|[0-9]{1,6}(-([0-9]{0,6}|last))?)'

/** Pages that LibreOffice prints. */
export const printedPages = text('Pages', {
  description: 'Pages to convert, such as 1-3,7 or 5- (from page 5 on). By default all of them.',
  default: 'all',
  pattern: `^(all|${PAGE_RANGE}(, ?${PAGE_RANGE})*)$`,
  maxLength: 200,
  'x-example': '1-3,7',
  'x-order': 1,
  'x-requires': { pages: 2 },
  'x-per-file': true,
})

export const pages = {
  ...printedPages,
  description:
    'Pages to convert, such as 1-3,7,last,odd,even or 5- (from page 5 on). By default all of them.',
  pattern: `^(all|${PAGES}(, ?${PAGES})*)$`,
  maxLength: 2000,
}

/** Areas of pages: left, top, width and height in millimetres. */
export const areas = `(all|${PAGES}(,${PAGES})*): ?[0-9.]{1,7}(, ?[0-9.]{1,7}){3}`
