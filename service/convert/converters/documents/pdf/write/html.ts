/** Writes a document read from a PDF as a web page. */

import { htmlPage } from '../../../../engines/documents/write/html/frame.ts'
import { firstsOfPages } from '../../../ebooks/pdf-to-epub/contents.ts'
import { authorsOf, languageOf, titleOf } from '../../../ebooks/pdf-to-epub/metadata.ts'
import { blockHtml, inlineHtml, type Surroundings } from '../../../ebooks/pdf-to-epub/xhtml.ts'
import type { Block, TextDocument } from '../layout/model.ts'

/**
 * @param fileName used if the document has no title
 * @param pictureAddress undefined for pictures that are left out
 */
export function writeHtml(
  document: TextDocument,
  fileName: string,
  pictureAddress: (picture: number) => string | undefined,
): string {
  const { footnotes, rightToLeft } = document
  const blocks = withoutPictures(document.blocks, picture => pictureAddress(picture) === undefined)
  const firsts = firstsOfPages(blocks)
  const numbers = new Map([...footnotes.keys()].map((key, index) => [key, index + 1]))
  const referred = new Set<string>()
  const around: Surroundings = {
    rightToLeft,
    note: key => {
      const number = numbers.get(key)
      if (number === undefined) return undefined
      const id = referred.has(key) ? '' : ` id="r${number}"`
      referred.add(key)
      return `href="#n${number}"${id}`
    },
    pageAddress: page => {
      const block = firsts(page)
      return block === undefined ? undefined : `#b${block}`
    },
    picture: picture => pictureAddress(picture) ?? '',
  }
  const body = blocks.map((block, index) => blockHtml(block, around, `b${index}`))
  const notes = [...footnotes].map(([key, content]) => {
    const number = numbers.get(key)
    const back = referred.has(key) ? `<a href="#r${number}">${number}</a> ` : ''
    return `<p id="n${number}">${back}${inlineHtml(content, around)}</p>`
  })
  const facts = {
    title: titleOf(document, fileName),
    language: languageOf(document),
    authors: authorsOf(document.author),
    rightToLeft,
  }
  return htmlPage(facts, [...body, ...(notes.length > 0 ? ['<hr>', ...notes] : [])].join('\n'))
}

const withoutPictures = (blocks: readonly Block[], isLeftOut: (picture: number) => boolean): Block[] =>
  blocks.flatMap((block): Block[] => {
    if (block.kind === 'picture') return isLeftOut(block.picture) ? [] : [block]
    if (block.kind !== 'list') return [block]
    const items = block.items.map(item => ({ ...item, blocks: withoutPictures(item.blocks, isLeftOut) }))
    return [{ ...block, items }]
  })
