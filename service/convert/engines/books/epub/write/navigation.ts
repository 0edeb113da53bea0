import { isRightToLeftLanguage } from '../../../common/language/tag.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import { relativeHref, splitTarget } from '../../book/links.ts'
import type { NavigationEntry } from '../../book/model.ts'
import { type BookPackage, paths } from './package.ts'

/** Maximum number of levels in an NCX. */
const MAX_LEVELS = 100

/** The navigation document: https://www.w3.org/TR/epub-33/#sec-nav */
export function navigationDocument({ book, navigation, landmarks }: BookPackage): string {
  const address = (target: string) => escapeXml(relativeHref(paths.navigation, splitTarget(target)))
  const list = (entries: readonly NavigationEntry[]): string =>
    `<ol>\n${entries
      .map(({ title, href, children }) => {
        const text = escapeXml(title.trim() || '–')
        const label = href === null ? `<span>${text}</span>` : `<a href="${address(href)}">${text}</a>`
        return `<li>${label}${children.length > 0 ? list(children) : ''}</li>`
      })
      .join('\n')}\n</ol>`
  const marks = landmarks.map(
    ({ type, title, href }) =>
      `<li><a epub:type="${escapeXml(type)}" href="${address(href)}">${escapeXml(title)}</a></li>`,
  )
  const { title, languages } = book.metadata
  const language = escapeXml(languages[0] ?? 'und')
  // Lines of Japanese do not, although its pages may progress from right to left.
  const direction = book.direction === 'rtl' && isRightToLeftLanguage(language) ? ' dir="rtl"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}"${direction}>
<head><title>${escapeXml(title)}</title></head>
<body>
<nav epub:type="toc" id="toc"><h1>${escapeXml(title)}</h1>${list(navigation)}</nav>${
    marks.length > 0
      ? `\n<nav epub:type="landmarks" hidden="hidden"><ol>\n${marks.join('\n')}\n</ol></nav>`
      : ''
  }
</body>
</html>
`
}

/** The NCX of EPUB 2, which older readers need: https://idpf.org/epub/20/spec/OPF_2.0.1_draft.htm#Section2.4.1 */
export function ncxOf({ book, navigation }: BookPackage): string {
  /** Play order by target; entries with the same target share a number. */
  const orders = new Map<string, number>()
  let id = 0
  let deepest = 1
  const point = ({ title, href, children }: NavigationEntry, depth: number): string => {
    const target = href ?? firstHref(children)
    if (target === null || depth > MAX_LEVELS) return ''
    deepest = Math.max(deepest, depth)
    const order = orders.get(target) ?? orders.size + 1
    orders.set(target, order)
    const source = escapeXml(relativeHref(paths.ncx, splitTarget(target)))
    id++
    return `<navPoint id="point${id}" playOrder="${order}"><navLabel><text>${escapeXml(title.trim() || '–')}</text></navLabel><content src="${source}"/>${children.map(child => point(child, depth + 1)).join('')}</navPoint>\n`
  }
  const points = navigation.map(entry => point(entry, 1)).join('')
  const { title, uniqueIdentifier } = book.metadata
  return `<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<head><meta name="dtb:uid" content="${escapeXml(uniqueIdentifier.trim())}"/><meta name="dtb:depth" content="${deepest}"/><meta name="dtb:totalPageCount" content="0"/><meta name="dtb:maxPageNumber" content="0"/></head>
<docTitle><text>${escapeXml(title)}</text></docTitle>
<navMap>
${points}</navMap>
</ncx>
`
}

function firstHref(entries: readonly NavigationEntry[]): string | null {
  for (const { href, children } of entries) {
    const found = href ?? firstHref(children)
    if (found !== null) return found
  }
  return null
}
