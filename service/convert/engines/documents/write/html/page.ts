import { escapeXml } from '../../../common/xml/characters.ts'
import type { Given } from '../../format.ts'
import type { Document } from '../../model.ts'
import { anchorsOf, placeName, slugsOf } from '../anchors.ts'
import { numbersOf } from '../notes.ts'
import { type HtmlTarget, htmlOf } from './blocks.ts'
import { htmlPage } from './frame.ts'

/** Writes a document as a web page. */
export function writePage(
  document: Document,
  { fileName, address: pictureAddress }: Pick<Given, 'fileName' | 'address'>,
): string {
  const anchors = anchorsOf(document)
  const slugs = slugsOf(anchors.all)
  const numbers = numbersOf(document.notes)
  const referred = new Set<number>()
  const marked = (anchor: string) => `a-${placeName(anchor)}`
  const target: HtmlTarget = {
    picture: use => {
      const address = pictureAddress(use)
      return address ? `<img src="${escapeXml(address)}" alt="${escapeXml(use.description)}">` : ''
    },
    note: key => {
      const number = numbers.get(key)
      if (number === undefined) return ''
      const id = referred.has(number) ? '' : ` id="r${number}"`
      referred.add(number)
      return `<sup><a href="#n${number}"${id}>${number}</a></sup>`
    },
    reference: anchor => {
      const heading = anchors.headings.get(anchor)
      return `#${heading ? slugs.get(heading) : marked(anchor)}`
    },
    anchor: anchor =>
      anchors.wanted.has(anchor) && !anchors.headings.has(anchor) ? marked(anchor) : undefined,
    headingId: heading => escapeXml(slugs.get(heading) ?? ''),
    equation: (_, mathml) => mathml,
    rightToLeft: document.rightToLeft,
    linksFiles: true,
  }
  const parts = [htmlOf(document.blocks, target)]
  if (numbers.size > 0) parts.push('<hr>')
  for (const [key, blocks] of document.notes) {
    const number = numbers.get(key)
    parts.push(`<div id="n${number}"><a href="#r${number}">${number}</a>\n${htmlOf(blocks, target)}\n</div>`)
  }
  const { title, language, rightToLeft, authors } = document
  return htmlPage({ title: title || fileName, language, rightToLeft, authors }, parts.join('\n'))
}
